/** The tools that trade by a rule: what a question adds to the rule changes nothing there. */
export const ruleTools: ReadonlySet<string> = new Set([
  'run_backtest',
  'compare_backtests',
  'run_walk_forward',
  'get_strategy_leaderboard',
]);
