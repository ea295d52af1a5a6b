import { wordTable } from './word-list.js';
import { intervalMs } from '../../../compute/model/interval.js';
import type { JsonSchema } from '../../openapi/json-schema.js';
import { listingNamed } from '../../mcp/catalogue.js';
import { indicators } from '../../../compute/indicators/index.js';
import { allowedValues, hoursOfSpan, nearestSpan } from './heard/served-values.js';
import type { Intent } from './intent.js';
import { ladderArgs, priceArg, signalArgs } from './plan-args.js';
import { usedSlots } from './recognition/slot-fit.js';
import type { SlotName, Slots } from './slots.js';

type Args = Record<string, unknown>;

/** The slot of an argument, by its name in the catalogue. An argument that no slot fills has its default. */
const slotOf: Readonly<Record<string, SlotName>> = wordTable('call-args', 'slotOf');

/** Arguments that count candles: a span of the past fills them. */
const spanArguments = new Set(['within_candles', 'lookback', 'window', 'max_candles']);
/** Tools whose limit counts candles. */
const candleLimits = new Set(['get_breadth_history']);

/** The arguments of the tool of an intent, by the catalogue's names: only what the question decides. */
export function callArgs(intent: Intent, slots: Slots): Args {
  const properties = listingNamed(intent.tool ?? '')?.inputSchema.properties ?? {};
  const used = usedSlots(intent);
  if (used.has('candles') && isOfHours(slots)) return callArgs(intent, { ...slots, interval: '1h' });
  const own = { ...ownArgs(intent, { ...slots }), ...special[intent.name]?.(slots) };
  const args = Object.entries(properties).map(([name, schema]): [string, unknown] => {
    if (Object.hasOwn(own, name)) return [name, own[name]];
    if (
      schema.type === 'integer' &&
      (spanArguments.has(name) || (name === 'limit' && candleLimits.has(intent.tool!)))
    )
      return [name, used.has('candles') ? candlesOf(slots, schema) : undefined];
    const slot = slotOf[name];
    const value = slot !== undefined && used.has(slot) ? fitting(slots[slot], schema) : undefined;
    // "Last month" of a test: the period that is nearest to it, and said so.
    if (name === 'period' && value === undefined && used.has('period') && slots.windowHours !== undefined)
      return [name, nearestSpan((schema.enum ?? []) as string[], slots.windowHours)];
    return [name, value];
  });
  return Object.fromEntries(args.filter(([, value]) => value !== undefined));
}

const ownArgs = ({ args = {} }: Intent, slots: Readonly<Record<string, unknown>>): Args =>
  Object.fromEntries(
    Object.entries(args).map(([name, value]) => [
      name,
      typeof value === 'string' && value.startsWith('@') ? slots[value.slice(1)] : (value ?? undefined),
    ]),
  );

/** A value in the form and within the limits of an argument. A word that it does not know is left out. */
function fitting(value: unknown, { type, enum: allowed, minimum, maximum }: JsonSchema): unknown {
  if (value === undefined) return undefined;
  if (allowed) return (allowed as unknown[]).includes(value) ? value : undefined;
  if (typeof value !== 'number') return value;
  if (type === 'string') return priceArg(value);
  return type === 'integer'
    ? Math.min(
        (maximum as number | undefined) ?? Infinity,
        Math.max((minimum as number | undefined) ?? 1, value),
      )
    : value;
}

/** How many of the last candles a question looks at, by their number or by the span of time that they cover, within the limits. */
function candlesOf({ candles, windowHours, isToday, interval = '1d' }: Slots, schema: JsonSchema): unknown {
  const count =
    candles ?? (windowHours === undefined || isToday ? undefined : heldCandles(windowHours, interval));
  return count === undefined ? undefined : fitting(count, { ...schema, type: 'integer' });
}

const heldCandles = (hours: number, interval: NonNullable<Slots['interval']>): number =>
  Math.ceil((hours * intervalMs('1h')) / intervalMs(interval));

const dayMs = 86_400_000;

/** The candles of the hours of a day, or of the days, that are named. */
function ofHours({ hours, interval: chosen }: Slots): Args | undefined {
  if (hours === undefined) return undefined;
  const span = Date.parse(hours.end) - Date.parse(hours.start);
  const interval = chosen ?? (span < dayMs ? '1h' : '1d');
  if (span < intervalMs(interval)) return undefined;
  return { interval, limit: Math.min(500, span / intervalMs(interval)), end_time: hours.end };
}

/** "The 4h candles of 14 November": those of a day; "the 10 candles before 14 November" end on it. */
function ofDay({ date, interval, candles, count, windowHours }: Slots): Args | undefined {
  const isDay = date !== undefined && [candles, count, windowHours].every((each) => each === undefined);
  const start = isDay && interval !== undefined ? date.slice(0, 10) : '';
  if (start === '') return undefined;
  const end = new Date(Date.parse(start) + dayMs).toISOString();
  return ofHours({ interval: interval!, hours: { start, end, isWhole: true } });
}

const named = ({ assets, asset }: Slots): readonly string[] => assets ?? (asset === undefined ? [] : [asset]);

/** What the names of arguments and slots do not say, and no fixed value does, by intent. An argument that is undefined here is left out. */
const special: Readonly<Record<string, (slots: Slots) => Args>> = {
  anomalies: (slots) => ({ within_candles: withinCandles(slots, 48) }),
  'recent-flips': (slots) => ({ within_candles: withinCandles(slots, 100) }),
  'drawn-levels': ({ count }) => ({ max_levels: count ?? 20 }),
  candles: (slots) =>
    ofHours(slots) ??
    ofDay(slots) ?? {
      limit: Math.min(500, Math.max(1, askedCandles(slots))),
      end_time: isStart(slots) ? undefined : slots.date,
    },
  'compare-backtests': (slots) => ({
    assets: slots.asset === undefined && slots.assets === undefined ? undefined : named(slots).slice(0, 8),
    strategies: (slots.strategies ?? (slots.strategy === undefined ? undefined : [slots.strategy]))?.slice(
      0,
      8,
    ),
  }),
  'correlation-matrix': (slots) => ({ assets: (slots.assets ?? []).slice(0, 15) }),
  'dca-ladder': ladderArgs,
  // The curve knows no period below thirty days.
  equity: (slots) => {
    const period = ledgerPeriodOf(slots);
    return { period: period === 'today' || period === '7d' ? '30d' : period, benchmark: slots.asset };
  },
  'flip-history': ({ candles, count = candles }) => ({
    limit: count === undefined ? undefined : Math.min(50, Math.max(1, count)),
  }),
  'indicator-details': ({ indicator = '' }) => ({ name: chosenIndicator(indicator).name }),
  'indicator-values': ({ indicator = '', indicatorPeriod, indicators, candles, count }) => ({
    indicators: indicators?.map((each) => chosenIndicator(each)) ?? [
      chosenIndicator(indicator, indicatorPeriod),
    ],
    last: Math.min(100, Math.max(1, candles ?? count ?? 2)),
  }),
  'pair-relationship': (slots) => {
    const [asset, second] = named(slots);
    return { asset, second_asset: second ?? (asset === 'BTC' ? 'ETH' : 'BTC') };
  },
  'past-price': (slots) =>
    ofHours(slots) ?? {
      interval: '1d',
      limit: 1,
      // The end of that day, at which its candle closes.
      end_time: new Date(Date.parse(slots.date!.slice(0, 10)) + dayMs).toISOString(),
    },
  performance: (slots) => ({ assets: named(slots).slice(0, 10) }),
  'portfolio-risk': ({ changes }) => ({
    changes: changes?.map(({ asset, quantity }) => ({ asset, quantity_delta: quantity })),
  }),
  'position-size': ({ amount, percent, entry, stop, side }) => ({
    account_size: amount,
    risk_percent: percent,
    // A stop above the entry belongs to a short.
    side: side ?? (entry !== undefined && stop !== undefined && stop > entry ? 'short' : undefined),
  }),
  price: (slots) => ({ assets: named(slots).slice(0, 20) }),
  profits: (slots) => ({
    period: ledgerPeriodOf(slots),
    // "Daily results" are by day.
    group_by: slots.groupBy ?? (slots.interval === '1d' ? 'day' : undefined),
  }),
  'tail-risk': (slots) => {
    const days = Math.ceil((slots.windowHours ?? 0) / 24);
    const assets = named(slots);
    return {
      weights: slots.weights
        ? { ...slots.weights }
        : Object.fromEntries(assets.map((each) => [each, 100 / assets.length])),
      // A span of less than 90 days is that of a loss.
      lookback_days: days < 90 ? undefined : Math.min(1825, days),
    };
  },
  'target-probability': ({ side, target, stop }) => ({
    side: side ?? (target !== undefined && stop !== undefined && target < stop ? 'short' : undefined),
  }),
  'top-movers': ({ windowHours }) => ({
    window: windowHours && (spanFrom(allowedValues('get_top_movers', 'window'), windowHours) ?? '30d'),
  }),
  trades: ({ date, since }) => ({ since: date ?? since }),
  // The words of the answer are about the newest candle alone.
  'trend-chart': ({ count, candles = count, ...slots }) => ({
    limit: withinCandles({ ...slots, ...(candles && { candles }) }, 500) ?? 2,
  }),
  'validate-signal': signalArgs,
};

/** "Candles since 1 June" begin on that day; "the 30 days to 1 June" end on it. */
const isStart = ({ date = '', since = '' }: Slots): boolean =>
  Math.abs(Date.parse(date) - Date.parse(since)) <= dayMs;

/** As many candles as a question looks back on; "today" counts as a span here. */
const withinCandles = (
  { candles, windowHours, interval = '1d' }: Slots,
  most: number,
): number | undefined => {
  const count = candles ?? (windowHours === undefined ? undefined : heldCandles(windowHours, interval));
  return count === undefined ? undefined : Math.min(most, Math.max(1, count));
};

/** "The last 500 hours" are hourly candles. */
const isOfHours = ({ interval, candles, windowHours = 0 }: Slots): boolean =>
  interval === undefined && candles === undefined && windowHours % 24 !== 0;

/** As many candles as are asked for, by their number or by the span of time that they cover. */
function askedCandles({ candles, count, windowHours, interval = '1d' }: Slots): number {
  if (candles !== undefined || count !== undefined) return candles ?? count ?? 1;
  return windowHours === undefined ? 5 : heldCandles(windowHours, windowHours % 24 === 0 ? interval : '1h');
}

/** The period of the user's own books that a question means; undefined where it names none. */
function ledgerPeriodOf({ isToday, isAllTime, period, windowHours }: Slots): string | undefined {
  if (isToday) return 'today';
  if (isAllTime) return 'all';
  if (windowHours !== undefined)
    return windowHours <= 24 ? 'today' : (spanFrom(['7d', '30d', '90d'], windowHours) ?? '1y');
  return period === undefined ? undefined : period === '3M' ? '90d' : '1y';
}

/** The shortest of the spans that has so many hours; a month has up to 31 days. */
const spanFrom = (spans: readonly string[], hours: number): string | undefined =>
  spans.find((each) => hoursOfSpan(each) * 1.034 >= hours);

/** An indicator and its parameters, as tools take them. */
interface ChosenIndicator {
  name: string;
  params?: Record<string, number>;
}

const shape = /^([a-z]+(?:_[a-z]+)*?)((?:_\d+(?:\.\d+)?)*)$/;

/**
 * The indicator of a name as in conditions: `rsi`, `sma_200`, `macd_12_26_9`. Numbers are parameters in their order; the period
 * is the first one where the name has none.
 */
function chosenIndicator(text: string, period?: number): ChosenIndicator {
  const [, name = text, numbers = ''] = shape.exec(text) ?? [];
  const indicator = indicators.find((each) => each.name === name);
  const given = numbers.split('_').filter(Boolean).map(Number);
  const values = given.length === 0 && period !== undefined ? [period] : given;
  if (!indicator || values.length === 0) return { name };
  const names = Object.keys(indicator.params).slice(0, values.length);
  return { name, params: Object.fromEntries(names.map((each, n) => [each, values[n]])) };
}
