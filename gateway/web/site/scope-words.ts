import type { TokenScope } from '../../../storage/users/token-scopes.js';

/** What a scope allows, in plain words. */
export const scopeWords: Readonly<Record<TokenScope, string>> = {
  'read:portfolio': 'Read your positions, balances, profits and losses',
  'read:analysis': 'Read indicators and run scenario analyses in your name',
  'ask:assistant': 'Ask the assistant in your name',
};
