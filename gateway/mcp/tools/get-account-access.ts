import { getAccountAccess } from '../../operations/account/get-account-access.js';
import { defineTool } from '../tool.js';

export const getAccountAccessTool = defineTool({
  name: 'get_account_access',
  operation: getAccountAccess,
  headline: ({ plan, points, sessions, tokens, apps }) =>
    `Plan ${plan}: ${points.used} of ${points.limit} points used this minute; ${sessions.length} sessions, ${tokens.length} access tokens, ${apps.length} connected apps.`,
});
