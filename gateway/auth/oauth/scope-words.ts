import type { TokenScope } from '../../../storage/users/token-scopes.js';

/** What each scope allows, in the words of the user who gives it. */
export const scopeWords: Record<TokenScope, string> = {
  'read:portfolio': 'Read your positions, balances, profits and losses',
  'read:analysis': 'Read indicators and run scenario analyses in your name',
  'ask:assistant': 'Ask the assistant in your name',
  'write:strategies': 'Save, change and delete your strategies and backtests',
};
