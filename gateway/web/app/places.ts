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
  /** Whether it begins with a chart, which then comes with it. */
  hasChart?: true;
  /** What it is for, in a sentence for visitors. */
  purpose?: string;
}

/** All pages, in the order of the navigation. The gateway answers at these paths with the shell. */
export const places: readonly Place[] = [
  { path: '/app', title: 'Market', file: 'market/market', for: 'all', isMain: true },
  { path: '/app/asset/:asset', title: 'Asset', file: 'asset/asset', for: 'all', hasChart: true },
  {
    path: '/app/backtests',
    title: 'Backtests',
    file: 'backtests/backtests',
    for: 'user',
    isMain: true,
    purpose:
      'Try a strategy, or rules of your own, on years of candles: what it would have earned against buying and holding, and how much of that was luck.',
  },
  {
    path: '/app/backtests/new',
    title: 'New backtest',
    file: 'backtests/new-backtest',
    for: 'user',
    purpose: 'Choose a strategy or write rules of your own, and see what they would have earned.',
  },
  {
    path: '/app/backtests/:id',
    title: 'Backtest',
    file: 'backtests/backtest',
    for: 'user',
    purpose: 'The report of a backtest, for those who ran it.',
  },
  {
    path: '/app/backtests/rules/:id',
    title: 'Backtest',
    file: 'backtests/run',
    for: 'user',
    purpose: 'The report of a backtest of own rules, for those who ran it.',
  },
  { path: '/app/shared/:token', title: 'Shared backtest', file: 'backtests/shared', for: 'all' },
  {
    path: '/app/portfolio',
    title: 'Portfolio',
    file: 'portfolio/portfolio',
    for: 'user',
    isMain: true,
    purpose:
      'What you hold on exchanges and on paper: its worth, profits, how it went against BTC, and what would hurt.',
  },
  {
    path: '/app/signals',
    title: 'Signals',
    file: 'signals/signals',
    for: 'user',
    isMain: true,
    purpose:
      'Follow the signals of partners within limits that you set, on paper or on an exchange, and see what came of each.',
  },
  {
    path: '/app/signals/:id',
    title: 'Signal',
    file: 'signals/signal',
    for: 'user',
    hasChart: true,
    purpose: 'What happened to a signal that you follow, step by step.',
  },
  { path: '/app/assistant', title: 'Assistant', file: 'assistant/assistant', for: 'all', isMain: true },
  {
    path: '/app/partner',
    title: 'Partner',
    file: 'partner/partner',
    for: 'member',
    isMain: true,
    hasChart: true,
    purpose: 'Send signals to those who follow your channels, for users who act for a partner.',
  },
  {
    path: '/app/operator',
    title: 'Operation',
    file: 'operator/operator',
    for: 'operator',
    isMain: true,
    purpose: 'The state of the cluster, for operators.',
  },
  { path: '/app/about', title: 'About', file: 'about/about', for: 'all' },
];
