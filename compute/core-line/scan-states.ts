import { defineAnalysis } from '../analysis.js';
import { lastDay, whyNoDayChange } from '../model/last-day.js';
import { firstCandleFrom, sliceCandles, type Candles } from '../model/candles.js';
import { stateFields, stateName, trendStates } from '../model/core-line.js';
import { AppError } from '../model/errors.js';
import { field, type Value, type Values } from '../model/field.js';
import { nullReason, reasonsOf } from '../model/null-reason.js';
import { intervalMs, type Interval } from '../model/interval.js';
import { ScratchBuffers } from '../model/scratch-buffers.js';
import { ignoreProgress, type OnProgress } from '../model/progress.js';
import type { MarketQuestion, PairCandles } from '../task.js';
import { firstOfState, stateOrNone, whyNoState } from './current-state.js';
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
  cursor: field.nullable(
    field.text('`nextCursor` of the previous page, with the same filter and order; null: the first page', {
      maxLength: 40,
      pattern: /^[0-9a-z]{1,9}[.].{1,20}$/,
      patternName: 'a cursor of this list',
    }),
    { default: null },
  ),
};

export type ScanParams = Values<typeof scanParams>;

const lastFlipField = field.object('the last change of state', {
  from: field.choice('state before', trendStates),
  to: field.choice('state after', trendStates),
  time: field.time('open time of its candle'),
  price: field.number('close of its candle', { unit: 'quote' }),
  candlesAgo: field.count('candles since; 0 where the last candle changed the state'),
  change: field.number('change of the price since', { unit: 'percent' }),
});

export type LastFlip = Value<typeof lastFlipField>;

const pairStateField = field.object('an asset', {
  asset: field.text('asset symbol'),
  tradeMarket: field.text('quote currency'),
  ...stateFields,
  change24h: field.nullable(
    field.number('change of the price over 24 hours; null where the history is shorter', { unit: 'percent' }),
  ),
  change24hAt: field.nullable(
    field.time('time of the price that `change24h` ends with: that of now, if it is known'),
  ),
  volume24h: field.nullable(
    field.number('volume of the last 24 hours; null where the history is shorter', { unit: 'quote' }),
  ),
  lastFlip: field.nullable(lastFlipField),
  reason: nullReason,
});

export type PairState = Value<typeof pairStateField>;

const scanOutput = field.object('trend states of a market', {
  total: field.count('assets that match, on all pages'),
  states: field.list('one for each asset that matches, those without a state too', pairStateField),
  nextCursor: field.nullable(
    field.text(
      'cursor of the next page, which shows the market at the same time as this one; null on the last page',
    ),
  ),
});

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
  run({ pairs, interval, params }: MarketQuestion<ScanParams>, scratch, onProgress) {
    const from = params.cursor === null ? null : readCursor(params.cursor);
    const asOfMs = from?.asOfMs ?? newestClose(pairs, interval);
    const shown = from === null ? pairs : pairs.map((pair) => closedBy(pair, interval, asOfMs));
    const all = selectStates(statesOfPairs(shown, interval, scratch, onProgress), params);
    return pageOfStates(all, params, asOfMs);
  },
});

/** The page behind a cursor. The cursor of the next one names the moment of the first page, too. */
export function pageOfStates<Row extends { asset: string }>(
  all: readonly Row[],
  { limit, cursor }: Pick<ScanParams, 'limit' | 'cursor'>,
  asOfMs: number,
): { total: number; states: Row[]; nextCursor: string | null } {
  const start = cursor === null ? 0 : placeAfter(all, readCursor(cursor).asset);
  const states = all.slice(start, limit === null ? undefined : start + limit);
  const isLast = start + states.length === all.length;
  const nextCursor = isLast ? null : `${asOfMs.toString(36)}.${states[states.length - 1].asset}`;
  return { total: all.length, states, nextCursor };
}

/** A cursor names the moment of the first page and the last asset of the page before. */
function readCursor(cursor: string): { asOfMs: number; asset: string } {
  const dot = cursor.indexOf('.');
  return { asOfMs: parseInt(cursor.slice(0, dot), 36), asset: cursor.slice(dot + 1) };
}

/** The close time of the newest candle; that of a candle at time 0 where there is none. */
const newestClose = (pairs: readonly PairCandles[], interval: Interval): number =>
  Math.max(0, ...pairs.map(({ candles: { time } }) => (time.at(-1) ?? 0) + intervalMs(interval)));

/** The pair with the candles that had closed by a moment, so that later pages show the market of the first. */
function closedBy(pair: PairCandles, interval: Interval, closedMs: number): PairCandles {
  const count = firstCandleFrom(pair.candles.time, closedMs - intervalMs(interval) + 1);
  return { ...pair, candles: sliceCandles(pair.candles, 0, count) };
}

function placeAfter(rows: readonly { asset: string }[], asset: string): number {
  const place = rows.findIndex((row) => row.asset === asset);
  if (place >= 0) return place + 1;
  const message = '"cursor" belongs to a list with another filter; start again without a cursor';
  throw new AppError('invalid_input', message, { details: { field: 'cursor' } });
}

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

/** The column of the table for each choice of `sort`. */
const sortColumns = { days_in_state: 'daysInState', change24h: 'change24h', volume: 'volume24h' } as const;

/** The rows of the table on all pages. Rows without the figure to sort by come last; equal ones keep their order. */
function selectStates(all: readonly PairState[], { state, sort }: ScanParams): PairState[] {
  const wanted = all.filter((row) => state === null || row.state === state);
  const figure = (row: PairState) => (sort && row[sortColumns[sort]]) ?? -Infinity;
  return sort === null ? wanted : wanted.sort((a, b) => figure(b) - figure(a) || 0);
}

function pairState(
  { asset, tradeMarket, candles }: PairCandles,
  interval: Interval,
  scratch: ScratchBuffers,
): PairState {
  const { state } = computeCoreLine(candles, scratch);
  const day = lastDay(candles);
  const flip = lastFlip(candles, state);
  return {
    asset,
    tradeMarket,
    ...stateOrNone(candles, state, interval),
    change24h: day?.change ?? null,
    change24hAt:
      (day?.change ?? null) === null ? null : candles.time[candles.time.length - 1] + intervalMs(interval),
    volume24h: day?.volume ?? null,
    lastFlip: flip,
    reason: reasonsOf(
      whyNoState(state.length),
      state.length > coreLineParams.readyIndex && flip === null && 'the state has never changed',
      whyNoDayChange(day),
    ),
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
