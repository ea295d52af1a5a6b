import { candleReturns } from '../metrics/returns.js';
import { proportionInterval, type ProportionInterval } from '../metrics/proportion-interval.js';
import type { Candles } from '../model/candles.js';
import { createRandom, type Random } from '../model/random.js';
import { ignoreProgress, type OnProgress } from '../model/progress.js';
import { bandsOf, bootstrapPaths, checkpointsOf, type Bands, type Checkpoints } from './bootstrap.js';
import { initialEquity, type Costs, type Run } from './engine.js';
import { fillsOf, randomReturns } from './random-entries.js';

/** Paths put together from what happened: bands in percent. */
export interface Resampled {
  /** How many returns a path is made of, and how many neighbours stay together. */
  steps: number;
  blockLength: number;
  totalReturn: Bands;
  maxDrawdown: Bands;
  /** Share of paths that end below their start, with the 95 % interval that the number of paths allows. */
  probabilityOfLoss: ProportionInterval;
}

/** Equity of the paths over time: open time of a candle in seconds, UTC; quote units. */
export type EquityBands = Bands & { time: number };

export interface MonteCarloReport {
  paths: number;
  seed: number;
  /** Trades in another order and number; null with fewer than two trades. */
  trades: Resampled | null;
  /** Candles of the equity curve; null where equity never moves. */
  candles: (Resampled & { equity: EquityBands[] }) | null;
  /** The same holding times entered at random; null without a trade. */
  randomEntries: {
    totalReturn: Bands;
    /** Return of the trades as they were, in percent. */
    actual: number;
    /** How often random entries do at least as well: (1 + those that do) / (1 + paths). */
    pValue: number;
  } | null;
  notes: string[];
}

const mostCheckpoints = 50;

/** What it does one after the other. */
export const monteCarloPhases = ['trades', 'candles', 'random entries'] as const;

/** Which part of the whole each phase begins with: candles are many more than trades. */
const begins = { trades: 0, candles: 0.1, 'random entries': 0.7, end: 1 };

/**
 * How much of a run's result luck could be. Trades are resampled in blocks of the cube root of their number, candles in
 * blocks of the mean holding time or the cube root of their number, whichever is longer, so that stretches in and out of
 * the market stay whole. Davison and Hinkley, Bootstrap Methods and their Application, 1997, chapters 4 and 8. The same seed gives
 * the same report.
 */
export function monteCarlo(
  candles: Candles,
  run: Run,
  from: number,
  { costs, paths, seed }: { costs: Costs; paths: number; seed: number },
  onProgress: OnProgress = ignoreProgress,
): MonteCarloReport {
  const during = (phase: keyof typeof begins, next: keyof typeof begins) => (done: number) =>
    onProgress(phase, begins[phase] + ((begins[next] - begins[phase]) * done) / paths);
  const random = createRandom(seed);
  const { trades, equity, candlesHeld } = run;
  const notes: string[] = [];
  if (trades.length === 0) notes.push('no trade was closed in the window: there is nothing to resample');
  else if (trades.length === 1) notes.push('trades is null: a single trade can not be resampled');
  const tradeReturns = Float64Array.from(trades, ({ returnRate }) => returnRate);
  const perCandle = candleReturns(equity);
  const meanHeld = trades.length > 0 ? candlesHeld / trades.length : 0;
  const block = Math.ceil(Math.max(Math.cbrt(perCandle.length), meanHeld));
  return {
    paths,
    seed,
    trades:
      trades.length > 1
        ? resample(
            tradeReturns,
            Math.ceil(Math.cbrt(trades.length)),
            paths,
            random,
            during('trades', 'candles'),
          )
        : null,
    candles:
      trades.length > 0
        ? resampleCandles(
            candles.time.subarray(from + 1),
            perCandle,
            block,
            paths,
            random,
            during('candles', 'random entries'),
          )
        : null,
    randomEntries:
      trades.length > 0
        ? enterAtRandom(candles, run, from, costs, paths, random, during('random entries', 'end'))
        : null,
    notes,
  };
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
  timeMs: Float64Array,
  returns: Float64Array,
  blockLength: number,
  paths: number,
  random: Random,
  tellDone: (paths: number) => void,
): MonteCarloReport['candles'] {
  if (returns.length === 0) return null;
  const checkpoints = checkpointsOf(returns.length, paths, mostCheckpoints);
  const resampled = resample(
    returns,
    Math.min(blockLength, returns.length),
    paths,
    random,
    tellDone,
    checkpoints,
  );
  const equity = checkpoints.steps.map((step, c) => ({
    time: timeMs[step - 1] / 1000,
    ...bandsOf(checkpoints.columns[c].map((value) => value * initialEquity)),
  }));
  return { ...resampled, equity };
}

function enterAtRandom(
  candles: Candles,
  { trades }: Run,
  from: number,
  costs: Costs,
  paths: number,
  random: Random,
  tellDone: (paths: number) => void,
): MonteCarloReport['randomEntries'] {
  const fills = fillsOf(candles, from, trades);
  const returns = randomReturns(fills, costs, paths, random, tellDone);
  // What differs by rounding alone is as good: a run that leaves no choice of entry meets itself.
  const asGood = returns.reduce((count, value) => count + Number(value >= fills.actual - 1e-12), 0);
  return {
    totalReturn: bandsOf(returns.map((value) => value * 100)),
    actual: fills.actual * 100,
    pValue: (1 + asGood) / (1 + paths),
  };
}
