import type { TokenScope } from '../../../../../storage/users/token-scopes.js';

/** What a scope allows, in plain words. */
export const scopeWords: Readonly<Record<TokenScope, string>> = {
  'read:portfolio': 'read your portfolio: balances, positions, orders and results',
  'read:analysis': 'run analyses and backtests in your name',
  'ask:assistant': 'ask the assistant in your name',
};
