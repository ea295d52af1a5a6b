import { candleReturns } from '../metrics/returns.js';
import { optimalBlockLength } from '../metrics/optimal-block-length.js';
import { proportionField, proportionInterval } from '../metrics/mean-interval.js';
import { defineAnalysis } from '../analysis.js';
import { firstCandleFrom, sliceCandles, type Candles } from '../model/candles.js';
import { field, type Values } from '../model/field.js';
import { nullReasonOf } from '../model/null-reason.js';
import { computeTargets } from '../model/strategy.js';
import { strategyNamed } from '../strategies/index.js';
import { requireHistory } from './require-history.js';
import { costFields, costsOf, feeFields, feeOf } from './trading-costs.js';
import { periodField, strategyField, strategyParamsField } from './trading-fields.js';
import { windowOf } from './window.js';
import { createRandom, type Random } from '../model/random.js';
import { ignoreProgress, type OnProgress } from '../model/progress.js';
import { bandFields, bandsOf, bootstrapPaths, checkpointsOf, type Checkpoints } from './bootstrap.js';
import { initialEquity, runBacktest, type Costs, type Run } from './engine.js';
import { fillsOf, randomReturns, type Fills } from './random-entries.js';
import { intervalMs, type Interval } from '../model/interval.js';

/** The end of a window in the past. */
const untilField = field.nullable(field.time('only candles that had closed by then, UTC; null: all'), {
  default: null,
});

/** The candles that had closed by a time; all of them for null. */
export function closedBy(candles: Candles, interval: Interval, untilMs: number | null): Candles {
  if (untilMs === null) return candles;
  const end = firstCandleFrom(candles.time, untilMs - intervalMs(interval) + 1);
  return end === candles.time.length ? candles : sliceCandles(candles, 0, end);
}

const bands = (text: string) => field.object(text, bandFields('percent'));

const resampledFields = {
  steps: field.count('returns that make up a path'),
  blockLength: field.count('neighbouring returns that stay together'),
  totalReturn: bands('total return of the paths'),
  maxDrawdown: bands('maximum drawdown of the paths, 0 or below'),
  probabilityOfLoss: proportionField(
    'share of the paths that end below their start; its interval tells how exact so many paths are, not how long the past is',
  ),
};

/** Paths put together from resampled returns. */
export type Resampled = Values<typeof resampledFields>;

const monteCarloFields = {
  paths: field.count('paths of each method'),
  seed: field.count('seed of the random numbers: the same seed, the same report'),
  trades: field.nullable(
    field.object('trades resampled in blocks; null with fewer than ten trades', resampledFields),
  ),
  tradesReason: nullReasonOf('trades'),
  candles: field.nullable(
    field.object(
      'candles of the equity curve resampled in blocks; null with fewer than ten blocks in the market',
      {
        ...resampledFields,
        equity: field.list(
          'equity of the paths over time',
          field.object('a moment', {
            ...bandFields('quote'),
            time: field.integer('open time of the candle, in seconds since 1970, UTC'),
          }),
        ),
      },
    ),
  ),
  candlesReason: nullReasonOf('candles'),
  randomEntries: field.nullable(
    field.object('the same holding times entered at random; null without a trade', {
      totalReturn: bands('total return of the random entries'),
      actual: field.number('return of the trades as they were', { unit: 'percent' }),
      pValue: field.number('(1 + random entries that do at least as well) / (1 + paths)'),
    }),
  ),
  randomEntriesReason: nullReasonOf('randomEntries'),
  method: field.text('how paths are put together'),
  notes: field.list('what to know about the figures', field.text('a sentence')),
};

export type MonteCarloReport = Values<typeof monteCarloFields>;

/** The phases in order. */
const monteCarloPhases = ['trades', 'candles', 'random entries'] as const;

export const monteCarlo = defineAnalysis({
  name: 'monte-carlo',
  title: 'Monte Carlo',
  summary:
    "How much of a backtest's result luck could be: resampled trades, resampled candles and random entries.",
  needs: 'series',
  params: {
    period: periodField,
    strategy: strategyField,
    params: strategyParamsField,
    ...costFields,
    paths: field.integer('paths of each method', { min: 200, max: 10_000, default: 2_000 }),
    seed: field.integer('seed of the random numbers', { min: 0, max: 2 ** 32 - 1, default: 1 }),
    until: untilField,
  },
  output: field.object('how much of the result luck could be', { ...feeFields, ...monteCarloFields }),
  scope: 'user',
  cost: 10,
  queue: 'backtest',
  timeoutMs: 60_000,
  phases: monteCarloPhases,
  run({ candles: all, interval, params: settings }, scratch, onProgress) {
    const candles = closedBy(all, interval, settings.until);
    const { period, params, paths, seed } = settings;
    const costs = costsOf(settings);
    const strategy = strategyNamed(settings.strategy);
    requireHistory(strategy, params, candles.time.length, interval);
    const { from } = windowOf(candles.time, interval, period, strategy.ready(params));
    const targets = computeTargets(strategy, candles, params, scratch);
    const run = runBacktest(candles, targets, from, costs, scratch);
    return {
      ...feeOf(settings),
      ...resampleRun(candles, run, from, { costs, paths, seed }, onProgress),
    };
  },
});

const mostCheckpoints = 50;

/** With fewer blocks in the past than this, paths repeat the past, and their spread says nothing. */
const fewestBlocks = 10;

const method =
  'circular blocks (Politis and Romano, 1992) whose length follows from the dependence of returns (Politis and White, 2004; Patton, Politis and White, 2009), at most a tenth of the past; random entries: a permutation test';

/** The progress at which each phase begins: candles take longer, because they are many more than trades. */
const begins = { trades: 0, candles: 0.1, 'random entries': 0.7, end: 1 };

/** The run of a built-in strategy, with the whole account in each trade. */
export function resampleRun(
  candles: Candles,
  run: Run,
  from: number,
  options: ResampleOptions,
  onProgress: OnProgress = ignoreProgress,
): MonteCarloReport {
  const { trades, equity, candlesHeld } = run;
  const fills = trades.length > 0 ? fillsOf(candles, from, trades) : noTrade;
  const tradeReturns = Float64Array.from(trades, ({ returnRate }) => returnRate);
  const account = { time: candles.time.subarray(from), equity, candlesHeld, initialEquity };
  return resampleAccount({ ...account, tradeReturns, fills }, options, onProgress);
}

export const noTrade = 'no trade was closed in the window';

interface ResampleOptions {
  costs: Costs;
  paths: number;
  seed: number;
}

/** What is resampled of an account. */
interface ResampledAccount {
  /** Open times of the candles of the window, and the worth of the account at their closes. */
  time: Float64Array;
  equity: Float64Array;
  candlesHeld: number;
  initialEquity: number;
  /** What each trade changed the account by, as a fraction of it. */
  tradeReturns: Float64Array;
  /** Where its trades could have been entered instead; or why that can't be said. */
  fills: Fills | string;
}

/**
 * How much of a run's result luck could be. Trades and candles are resampled in blocks whose length follows from the
 * correlations of returns and of squared returns. Ten blocks have to fit into the candles with an open position.
 * Davison and Hinkley, Bootstrap Methods and their Application, 1997, chapters 4 and 8. The same seed gives the same report.
 */
export function resampleAccount(
  { time, equity, candlesHeld, initialEquity, tradeReturns, fills }: ResampledAccount,
  { costs, paths, seed }: ResampleOptions,
  onProgress: OnProgress = ignoreProgress,
): MonteCarloReport {
  const during = (phase: keyof typeof begins, next: keyof typeof begins) => (done: number) =>
    onProgress(phase, begins[phase] + ((begins[next] - begins[phase]) * done) / paths);
  const random = createRandom(seed);
  const perCandle = candleReturns(equity);
  const held = Math.min(candlesHeld, perCandle.length);
  const tradesReason = reasonOf(tradeReturns.length, 'trades');
  const candlesReason = reasonOf(held, 'candles in the market');
  return {
    paths,
    seed,
    trades: tradesReason
      ? null
      : resample(
          tradeReturns,
          blockOf(tradeReturns, tradeReturns.length),
          paths,
          random,
          during('trades', 'candles'),
        ),
    tradesReason,
    candles: candlesReason
      ? null
      : resampleCandles(
          { timeMs: time.subarray(1), returns: perCandle, initialEquity },
          blockOf(perCandle, held),
          paths,
          random,
          during('candles', 'random entries'),
        ),
    candlesReason,
    randomEntries:
      typeof fills === 'string'
        ? null
        : enterAtRandom(fills, costs, paths, random, during('random entries', 'end')),
    randomEntriesReason: typeof fills === 'string' ? fills : null,
    method,
    notes: tradeReturns.length === 0 ? [`${noTrade}: there is nothing to resample`] : [],
  };
}

const reasonOf = (found: number, what: string): string | null =>
  found >= fewestBlocks
    ? null
    : `needs ${fewestBlocks} ${what} or more, found ${found}: resampled paths would repeat the past`;

/** The length of blocks that preserves the dependence of returns and of volatility; ten blocks fit into `counted` returns. */
function blockOf(returns: Float64Array, counted: number): number {
  const wanted = Math.max(
    optimalBlockLength(returns),
    optimalBlockLength(returns.map((value) => value * value)),
  );
  return Math.min(Math.max(1, Math.ceil(wanted)), Math.floor(counted / fewestBlocks));
}

function resample(
  returns: Float64Array,
  blockLength: number,
  paths: number,
  random: Random,
  tellDone: (paths: number) => void,
  checkpoints?: Checkpoints,
): Resampled {
  const { totalReturn, maxDrawdown } = bootstrapPaths(
    returns,
    { paths, blockLength, random },
    checkpoints,
    tellDone,
  );
  const losses = totalReturn.reduce((count, value) => count + Number(value < 0), 0);
  return {
    steps: returns.length,
    blockLength,
    totalReturn: bandsOf(totalReturn),
    maxDrawdown: bandsOf(maxDrawdown),
    probabilityOfLoss: proportionInterval(losses, paths),
  };
}

function resampleCandles(
  { timeMs, returns, initialEquity }: { timeMs: Float64Array; returns: Float64Array; initialEquity: number },
  blockLength: number,
  paths: number,
  random: Random,
  tellDone: (paths: number) => void,
): NonNullable<MonteCarloReport['candles']> {
  const checkpoints = checkpointsOf(returns.length, paths, mostCheckpoints);
  const resampled = resample(returns, blockLength, paths, random, tellDone, checkpoints);
  const equity = checkpoints.steps.map((step, c) => ({
    time: timeMs[step - 1] / 1000,
    ...bandsOf(checkpoints.columns[c].map((value) => value * initialEquity)),
  }));
  return { ...resampled, equity };
}

function enterAtRandom(
  fills: Fills,
  costs: Costs,
  paths: number,
  random: Random,
  tellDone: (paths: number) => void,
): MonteCarloReport['randomEntries'] {
  const returns = randomReturns(fills, costs, paths, random, tellDone);
  // Returns that differ only by rounding count as equal: with a single possible placement, every draw is the run itself.
  const asGood = returns.reduce((count, value) => count + Number(value >= fills.actual - 1e-12), 0);
  return {
    totalReturn: bandsOf(returns.map((value) => value * 100)),
    actual: fills.actual * 100,
    pValue: (1 + asGood) / (1 + paths),
  };
}
