import { defineAnalysis } from '../analysis.js';
import { lastDay } from '../market/last-day.js';
import type { Candles } from '../model/candles.js';
import { stateFields, stateName, trendStates } from '../model/core-line.js';
import { field, type Value, type Values } from '../model/field.js';
import type { Interval } from '../model/interval.js';
import { ScratchBuffers } from '../model/scratch-buffers.js';
import { ignoreProgress, type OnProgress } from '../model/progress.js';
import type { MarketQuestion, PairCandles } from '../task.js';
import { firstOfState, stateOrNone } from './current-state.js';
import { coreLineParams } from './rule.js';
import { computeCoreLine } from './states.js';

const scanParams = {
  state: field.nullable(field.choice('only assets in this trend state; null: all', trendStates), {
    default: null,
  }),
  sort: field.nullable(
    field.choice('figure to sort by, highest first; null: no sorting', [
      'days_in_state',
      'change24h',
      'volume',
    ]),
    { default: 'volume' },
  ),
  limit: field.nullable(field.integer('most rows; null: all', { min: 1, max: 200 }), { default: 50 }),
};

export type ScanParams = Values<typeof scanParams>;

const lastFlipField = field.object('the last change of state', {
  from: field.choice('state before', trendStates),
  to: field.choice('state after', trendStates),
  time: field.time('open time of its candle'),
  price: field.number('close of its candle', { unit: 'quote' }),
  candlesAgo: field.count('candles since; 0 where the last candle changed the state', { unit: 'candles' }),
  change: field.number('change of the price since', { unit: 'percent' }),
});

export type LastFlip = Value<typeof lastFlipField>;

const pairStateField = field.object('an asset', {
  asset: field.text('asset symbol'),
  tradeMarket: field.text('quote currency'),
  ...stateFields,
  change24h: field.nullable(
    field.number('change over the last 24 hours; null where the history is shorter', { unit: 'percent' }),
  ),
  volume24h: field.nullable(
    field.number('volume of the last 24 hours; null where the history is shorter', { unit: 'quote' }),
  ),
  lastFlip: field.nullable(lastFlipField),
});

export type PairState = Value<typeof pairStateField>;

const scanOutput = field.object('trend states of a market', {
  states: field.list('one for each asset that matches, those without a state too', pairStateField),
});

/** The trend states of a market as a table. */
export const scanStates = defineAnalysis({
  name: 'scan-states',
  title: 'Scan trend states',
  summary:
    'The trend state of every asset of a market on one interval, filtered by state and sorted by days in state, 24h change or volume.',
  needs: 'market',
  params: scanParams,
  output: scanOutput,
  scope: 'public',
  cost: 5,
  queue: 'scan',
  phases: ['scan'],
  run: ({ pairs, interval, params }: MarketQuestion<ScanParams>, scratch, onProgress) => ({
    states: selectStates(statesOfPairs(pairs, interval, scratch, onProgress), params),
  }),
});

/** The state of every pair after its last closed candle, in the order given. With too few candles the state is null. */
export const statesOfPairs = (
  pairs: readonly PairCandles[],
  interval: Interval,
  scratch = new ScratchBuffers(),
  onProgress: OnProgress = ignoreProgress,
): PairState[] =>
  pairs.map((pair, n) => {
    onProgress('scan', n / pairs.length);
    return scratch.within(() => pairState(pair, interval, scratch));
  });

/** The column of the table that each choice of `sort` means. */
const sortColumns = { days_in_state: 'daysInState', change24h: 'change24h', volume: 'volume24h' } as const;

/** The rows that a table shows. Rows without the figure to sort by come last; equal ones keep their order. */
function selectStates(all: readonly PairState[], { state, sort, limit }: ScanParams): PairState[] {
  const wanted = all.filter((row) => state === null || row.state === state);
  const figure = (row: PairState) => (sort && row[sortColumns[sort]]) ?? -Infinity;
  const sorted = sort === null ? wanted : wanted.sort((a, b) => compareDescending(figure(a), figure(b)));
  return limit === null ? sorted : sorted.slice(0, limit);
}

const compareDescending = (a: number, b: number): number => (a === b ? 0 : b - a);

function pairState(
  { asset, tradeMarket, candles }: PairCandles,
  interval: Interval,
  scratch: ScratchBuffers,
): PairState {
  const { state } = computeCoreLine(candles, scratch);
  const day = lastDay(candles);
  return {
    asset,
    tradeMarket,
    ...stateOrNone(candles, state, interval),
    change24h: day?.change ?? null,
    volume24h: day?.volume ?? null,
    lastFlip: lastFlip(candles, state),
  };
}

function lastFlip({ time, close }: Candles, state: Int8Array): LastFlip | null {
  const last = time.length - 1;
  const at = firstOfState(state);
  if (at <= coreLineParams.readyIndex) return null;
  return {
    from: stateName(state[at - 1])!,
    to: stateName(state[at])!,
    time: time[at],
    price: close[at],
    candlesAgo: last - at,
    change: (close[last] / close[at] - 1) * 100,
  };
}
