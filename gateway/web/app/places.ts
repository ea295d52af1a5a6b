/** A page of the application. */
export interface Place {
  /** `:name` stands for a part that the page reads. */
  path: string;
  /** Its h1 until the page knows better, and for those who may not see it. */
  title: string;
  /** Its file in `pages/`, without `-page.tsx`. */
  file: string;
  for: 'all' | 'user' | 'member' | 'operator';
  /** Whether it stands in the navigation. */
  isMain?: true;
  /** Whether it begins with a chart, or with the market, which then come with it. */
  hasChart?: true;
  hasMarket?: true;
}

/** All pages, in the order of the navigation. The gateway answers at these paths with the shell. */
export const places: readonly Place[] = [
  { path: '/app', title: 'Market', file: 'market/market', for: 'all', isMain: true, hasMarket: true },
  {
    path: '/app/asset/:asset',
    title: 'Asset',
    file: 'asset/asset',
    for: 'all',
    hasChart: true,
    hasMarket: true,
  },
  { path: '/app/backtests', title: 'Backtests', file: 'backtests/backtests', for: 'user', isMain: true },
  { path: '/app/backtests/new', title: 'New backtest', file: 'backtests/new-backtest', for: 'user' },
  { path: '/app/backtests/:id', title: 'Backtest', file: 'backtests/backtest', for: 'user' },
  { path: '/app/backtests/rules/:id', title: 'Backtest', file: 'backtests/run', for: 'user' },
  { path: '/app/shared/:token', title: 'Shared backtest', file: 'backtests/shared', for: 'all' },
  { path: '/app/portfolio', title: 'Portfolio', file: 'portfolio/portfolio', for: 'user', isMain: true },
  { path: '/app/portfolio/:asset', title: 'Position', file: 'portfolio/position', for: 'user' },
  { path: '/app/signals', title: 'Signals', file: 'signals/signals', for: 'user', isMain: true },
  { path: '/app/signals/:id', title: 'Signal', file: 'signals/signal', for: 'user', hasChart: true },
  { path: '/app/assistant', title: 'Assistant', file: 'assistant/assistant', for: 'all', isMain: true },
  {
    path: '/app/partner',
    title: 'Partner',
    file: 'partner/partner',
    for: 'member',
    isMain: true,
    hasChart: true,
  },
  { path: '/app/operator', title: 'Operation', file: 'operator/operator', for: 'operator', isMain: true },
  { path: '/app/about', title: 'About', file: 'about/about', for: 'all' },
];

/** What a page is for, by its file, in a sentence for those who may not see it. */
export const purposes: Readonly<Record<string, string>> = {
  'backtests/backtests':
    'Try a strategy, or rules of your own, on years of candles: what it would have earned against buying and holding, and how much of that was luck.',
  'backtests/new-backtest':
    'Choose a strategy or write rules of your own, and see what they would have earned.',
  'backtests/backtest': 'The report of a backtest, for those who ran it.',
  'backtests/run': 'The report of a backtest of own rules, for those who ran it.',
  'portfolio/portfolio':
    'What you hold on exchanges and on paper: its worth, profits, how it went against BTC, and what would hurt.',
  'portfolio/position': 'What you hold of an asset, and which signals buy and sell it.',
  'signals/signals':
    'Follow the signals of partners within limits that you set, on paper or on an exchange, and see what came of each.',
  'signals/signal': 'What happened to a signal that you follow, step by step.',
  'partner/partner': 'Send signals to those who follow your channels, for users who act for a partner.',
  'operator/operator': 'The state of the cluster, for operators.',
};
