/** The groups of the catalogue: the name in a URL, and the title in the catalogue. */
const titles = {
  reference: 'Reference & data',
  trend: 'Trend state (accumulate / wait / distribute)',
  technicals: 'Single-asset technicals',
  returns: 'Return statistics',
  market: 'Market-wide',
  risk: 'Risk & planning',
  strategies: 'Strategy catalogue',
  channels: 'Channels & guest chat',
  portfolio: 'Portfolio & account',
  backtests: 'Scenario analysis',
  assistant: 'Assistant',
} as const;

export type ToolsetName = keyof typeof titles;

export const toolsetNames = Object.keys(titles) as ToolsetName[];

/** The toolset with this title in the catalogue. */
export function toolsetOfTitle(title: string): ToolsetName {
  const name = toolsetNames.find((each) => titles[each] === title);
  if (name === undefined)
    throw new Error(`expected one of the toolsets ${Object.values(titles).join(', ')}, found "${title}"`);
  return name;
}

/** The 18 tools for clients with a small context: `?toolsets=core`. */
export const coreTools: ReadonlySet<string> = new Set([
  'list_assets',
  'get_price',
  'get_data_status',
  'get_trend_state',
  'get_flip_price',
  'get_technical_summary',
  'get_support_resistance',
  'get_performance',
  'get_market_overview',
  'get_top_movers',
  'assess_risk',
  'list_backtest_strategies',
  'run_backtest',
  'get_portfolio_status',
  'get_position_details',
  'get_balances',
  'get_pnl_summary',
  'get_portfolio_risk',
]);
