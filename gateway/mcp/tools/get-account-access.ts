import { countOf } from '../../../compute/model/count-of.js';
import { getAccountAccess } from '../../operations/account/get-account-access.js';
import { defineTool } from '../tool.js';

export const getAccountAccessTool = defineTool({
  name: 'get_account_access',
  operation: getAccountAccess,
  headline: ({ plan, points, sessions, tokens, apps }) =>
    `Plan ${plan}: ${points.used} of ${points.limit} points used this minute; ${countOf(sessions.length, 'session')}, ${countOf(tokens.length, 'access token')}, ${countOf(apps.length, 'connected app')}.`,
});
