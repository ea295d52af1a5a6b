import type { BacktestSummary } from '../../../storage/backtests/backtests.js';

type Asked = 'asset' | 'tradeMarket' | 'interval' | 'period' | 'strategy' | 'params' | 'source';
type Costs = 'feePercent' | 'slippagePercent';
type Listed = Omit<BacktestSummary, Asked>;

/** What was asked of a backtest. */
export const askedOf = ({
  asset,
  tradeMarket,
  interval,
  period,
  strategy,
  params,
  source,
}: Pick<BacktestSummary, Asked>): Pick<BacktestSummary, Asked> => ({
  asset,
  tradeMarket,
  interval,
  period,
  strategy,
  params,
  source,
});

/** What a list shows of a report, of whatever kind of run. */
export const listedFigures = ({
  assumptions: { feePercent, slippagePercent },
  window,
  totalReturn,
  winRate,
  sharpe,
  maxDrawdown,
  tradeCount,
  profitFactor,
}: Omit<Listed, Costs> & { assumptions: Pick<Listed, Costs> }): Listed => ({
  feePercent,
  slippagePercent,
  window,
  totalReturn,
  winRate,
  sharpe,
  maxDrawdown,
  tradeCount,
  profitFactor,
});
