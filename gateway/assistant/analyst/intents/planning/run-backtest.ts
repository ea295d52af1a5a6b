import type { BacktestOutput } from '../../../../operations/analysis/backtest.js';
import { decidedArgs } from '../../decided-args.js';
import { writeNumber, writePercent } from '../../format.js';
import { defineIntent } from '../../intent.js';
import { counted, sentence, signed } from '../../market-words.js';
import { percentOr, periodWords } from '../../outcome-words.js';
import { strategyTitle } from '../../strategy-title.js';
import { toldNotes } from '../../told-notes.js';

/** Fewer trades say next to nothing about a rule. */
const fewTrades = 30;

export const runBacktestIntent = defineIntent<BacktestOutput>({
  name: 'run-backtest',
  title: 'how a strategy would have traded an asset over three, six or twelve months, costs included',
  tool: 'run_backtest',
  phrases: [
    'backtest {asset}',
    'backtest {strategy} on {asset} over {period}',
    'how would {strategy} have done on {asset} in the last {period}',
    'run {strategy} on {asset} {interval} for {period}',
    'test a {strategy} on {asset}',
    'would following {strategy} on {asset} have made money',
    'simulate {strategy} {asset} {interval}',
    'what would {strategy} have returned on {asset}',
    'try {strategy} on {asset} with {percent} fees',
    '{strategy} {asset} past results with slippage {percent}',
    'historical simulation of {strategy} for {asset}',
    'how profitable was {strategy} on {asset} after costs',
    'check what {strategy} earned on {asset}',
    'buy and hold {asset} for {period} what came out',
    'how did {strategy} do on {asset}',
    'would {strategy} have worked on {asset} last year',
    'does {strategy} make money on {asset}',
    'give {strategy} a spin on {asset}',
    'play {strategy} through on {asset} {interval}',
    'try out {strategy} with {asset}',
    'what if i traded {strategy} on {asset} for {period}',
    'run a backtest',
    'check {strategy} against the history of {asset}',
    'what would i have made with {strategy} on {asset}',
    'backtest the {strategy} for me',
    'backtest please',
    '{strategy} on {asset} over {period}',
    'backtest it',
    'start a simulation for {asset}',
    'would {strategy} on {asset} have paid off',
    'did {strategy} pay off on {asset}',
    '{strategy} on {asset} {params} over {period}',
    '{strategy} on {asset} buying below 25 and selling above 75',
    'what would following {strategy} have earned on {asset}',
    'run a backtest on {asset} with {strategy} for {period}',
    'historical scenario for {strategy} on {asset}',
    'how would {strategy} have done on {asset}',
    'now with {feePercent}',
    'try it with {asset} instead',
    'on the {interval} chart',
    'with {slippagePercent} and {feePercent}',
    'test {strategy} {params} on {asset}',
    'what about {strategy} instead',
  ],
  assetCount: [0, 1],
  needs: { asset: 'Which asset do you want to test?' },
  takes: ['strategy', 'params', 'interval', 'period', 'feePercent', 'slippagePercent', 'tradeMarket'],
  args: ({ asset, strategy, params, interval, period, feePercent, slippagePercent, tradeMarket }) =>
    decidedArgs({
      asset,
      interval,
      trade_market: tradeMarket,
      period,
      strategy,
      params: params && { ...params },
      fee_percent: feePercent,
      slippage_percent: slippagePercent,
    }),
  remembers: ({ id }) => ({ backtestId: id }),
  answer: (payload) => {
    const { strategy, asset, interval, period, totalReturn, benchmark, tradeCount, assumptions, notes } =
      payload;
    const rule = `${strategyTitle(strategy)}${paramWords(payload.params)}`;
    const hold =
      benchmark.totalReturn === null ? '' : `; buying and holding returned ${signed(benchmark.totalReturn)}`;
    return {
      lead:
        tradeCount === 0
          ? `${rule} on ${asset} (${interval}, ${periodWords(period)}) closed no trade${hold}.`
          : `${rule} on ${asset} (${interval}, ${periodWords(period)}) returned ${totalReturn === null ? 'an unknown amount' : signed(totalReturn)} after costs${hold}.`,
      figures: tradeCount === 0 ? [] : [tradeWords(payload), riskWords(payload)],
      caveat: `${smallSample(tradeCount)}${noteWords(notes)}Fees of ${writePercent(assumptions.feePercent)} and slippage of ${writePercent(assumptions.slippagePercent)} a side are counted; history is no forecast.`,
      next: 'Ask whether that was luck, or for a walk-forward.',
    };
  },
});

const paramWords = (params: BacktestOutput['params']): string => {
  const given = Object.entries(params).map(([name, value]) => `${name} ${writeNumber(value)}`);
  return given.length === 0 ? '' : `, ${given.join(' and ')},`;
};

const tradeWords = ({ tradeCount, winRate, profitFactor }: BacktestOutput): string =>
  `It closed ${counted(tradeCount, 'trade')}, ${wonWords(tradeCount, winRate)}${profitFactor === null ? '' : `; gains were ${writeNumber(profitFactor)} times the losses`}.`;

const wonWords = (trades: number, winRate: number | null): string => {
  if (trades === 1) return winRate === 100 ? 'which gained' : 'which did not gain';
  return winRate === 100
    ? 'all of which gained'
    : `of which ${percentOr(winRate, 'an unknown share')} gained`;
};

const riskWords = ({ maxDrawdown, sharpe }: BacktestOutput): string =>
  `The deepest fall was ${percentOr(maxDrawdown === null ? null : Math.abs(maxDrawdown))}${sharpe === null ? '' : `, the Sharpe ratio ${writeNumber(sharpe)}`}.`;

const noteWords = (notes: readonly string[]): string => {
  const told = toldNotes(notes);
  return told.length === 0 ? '' : `${sentence(told.join('; '))}. `;
};

const smallSample = (trades: number): string =>
  trades < fewTrades ? 'So few trades prove little either way. ' : '';
