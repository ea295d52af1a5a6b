/** The tags of the document: the first matching prefix decides. */
const groups = [
  ['/backend/core-line', 'Indicator', 'Trend states of the core line, and scenario analysis.'],
  ['/backend/analysis', 'Analysis', 'Readings of one asset, of several, and of the whole market.'],
  [
    '/backend/research',
    'Research',
    'Backtests of your own rules: any range, shorts, stops, sizes, several assets.',
  ],
  ['/backend/assistant', 'Assistant', 'Questions in natural language.'],
  ['/backend/conversations', 'Assistant', ''],
  ['/backend/login', 'Signing in', 'Accounts, sessions and passwords.'],
  ['/backend/signup', 'Signing in', ''],
  ['/backend/logout', 'Signing in', ''],
  ['/backend/session', 'Signing in', ''],
  ['/backend/password', 'Signing in', ''],
  ['/backend/verify-email', 'Signing in', ''],
  [
    '/backend/account',
    'Account',
    'Tokens, connected apps, preferences, usage, and what happened to an account.',
  ],
  ['/backend/tokens', 'Account', ''],
  ['/backend/apps', 'Account', ''],
  ['/backend/backtest-result', 'Backtests', ''],
  ['/backend/shared', 'Backtests', ''],
  ['/backend/market', 'Analysis', ''],
  ['/backend/audit', 'Account', ''],
  ['/backend/usage', 'Account', ''],
  ['/backend/preferences', 'Account', ''],
  ['/backend/strategies', 'Strategies', 'Your own rules: saved in versions, and shared by their hash.'],
  ['/backend/backtests', 'Backtests', 'The backtests that you have run: your 200 newest, for 90 days.'],
  [
    '/backend/channels',
    'Followed signals',
    'Channels of partners, your subscriptions, and what became of each signal.',
  ],
  ['/backend/subscriptions', 'Followed signals', ''],
  ['/backend/signals', 'Followed signals', ''],
  ['/backend/orders', 'Followed signals', ''],
  ['/backend/trading', 'Followed signals', ''],
  [
    '/backend/partner',
    'Partner console',
    'What a partner can do, for users who act for it with their session.',
  ],
  ['/backend/pnl', 'Ledger', 'What your trades have earned, and what your accounts are worth.'],
  ['/backend/trades', 'Ledger', ''],
  ['/backend/equity', 'Ledger', ''],
  ['/backend', 'Portfolio', 'Connected exchanges, positions and watchlists.'],
  ['/operator', 'Operator', 'The state of the service, for its operators.'],
  [
    '/authorize',
    'OAuth',
    'How AI clients get access in the name of a user, and end it: OAuth 2.1 with PKCE.',
  ],
  ['/register', 'OAuth', ''],
  ['/revoke', 'OAuth', ''],
  ['/token', 'OAuth', ''],
  ['/.well-known/oauth', 'OAuth', ''],
  ['/v1/channel', 'Partner signals', ''],
  ['/v1/signal', 'Partner signals', 'Creating and managing signals, with the key of a partner.'],
  ['/v2/signal', 'Partner signals', ''],
  ['/v3/ai', 'Price and risk', 'Signed requests; answers without envelope.'],
  ['/', 'Service', 'Health and this document.'],
] as const;

export const tagOf = (path: string): string => groups.find(([prefix]) => path.startsWith(prefix))![1];

/** The tags that are used by these paths. */
export function tagsOf(paths: readonly string[]): { name: string; description: string }[] {
  const used = new Set(paths.map(tagOf));
  return groups
    .filter(([, name, description]) => description !== '' && used.has(name))
    .map(([, name, description]) => ({ name, description }));
}
