/** The groups of tools: the name in a URL, and the title in the list. `research` has tools of `extensions.ts` only. */
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
  research: 'Research',
} as const;

export type ToolsetName = keyof typeof titles;

/** What the list of tools calls the toolset. */
export const toolsetTitle = (name: ToolsetName): string => titles[name];

export const toolsetNames = Object.keys(titles) as ToolsetName[];

/** The toolset with this title in the catalogue. */
export function toolsetOfTitle(title: string): ToolsetName {
  const name = toolsetNames.find((each) => titles[each] === title);
  if (name === undefined)
    throw new Error(`expected one of the toolsets ${Object.values(titles).join(', ')}, found "${title}"`);
  return name;
}

/** The 15 tools for clients with a small context: `?toolsets=core`. */
export const coreTools: ReadonlySet<string> = new Set([
  'list_assets',
  'get_price',
  'get_candles',
  'get_trend_state',
  'scan_trend_states',
  'get_technical_summary',
  'get_support_resistance',
  'get_market_overview',
  'screen_assets',
  'assess_risk',
  'calculate_position_size',
  'get_portfolio_status',
  'get_pnl_summary',
  'run_backtest',
  'ask_assistant',
]);
