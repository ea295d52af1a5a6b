import { listedWords, wordList, wordSet } from '../word-list.js';
import { listingNamed } from '../../../mcp/catalogue.js';
import { allowedValues, hoursOfSpan, listed } from './served-values.js';
import { defaultOf, placesOf, writtenSlot, type ReadQuestion } from './read-question.js';

/** How far a span may be from the one that it is served as: a month has 28 to 31 days. */
const tolerance = 0.09;
const counts: readonly string[] = listedWords('unserved-span', 'counts');

/** The note for a span of the past that the call does not cover. */
export function unservedSpan(read: ReadQuestion): string[] {
  const { question, intent, args } = read;
  const { windowHours, isToday, isAllTime, period } = question.slots;
  const hours = windowHours ?? (period === undefined ? undefined : hoursOfSpan(period));
  const horizons = unservedHorizons(read);
  if (horizons.length > 0) return horizons;
  if (hours === undefined && isAllTime !== true) return [];
  const tool = intent.tool!;
  const said = writtenSlot(question, 'windowHours', 'period', 'isToday', 'isAllTime', 'date') ?? 'this span';
  const named = namedSpans(tool);
  if (named !== null)
    return spanOfList(
      named,
      String(args[named.argument] ?? defaultOf(tool, named.argument)),
      said,
      hours,
      isAllTime === true,
      isToday === true,
    );
  if (hours === undefined && ofAllTime.has(tool)) return [];
  if (hours === undefined) return [`"${said}" is not covered: it is read for the present.`];
  if (args.since !== undefined || args.end_time !== undefined || args.from !== undefined) return [];
  if (isTold(tool, hours)) return [];
  if (tool === 'get_performance') return [returnsNote(said)];
  const count = counts.find((name) => typeof args[name] === 'number');
  if (args.lookback_days !== undefined)
    return isNear(Number(args.lookback_days) * 24, hours)
      ? []
      : [`${said} can't be looked back over; this covers ${Number(args.lookback_days)} days.`];
  if (count !== undefined) return spanOfCandles(read, count, hours, said);
  if (hours <= 24 || isToday) return [];
  return [`"${said}" changes nothing here: this is read for the present.`];
}

/** "10-day VaR": a span that is too short to look back on is that of the loss. */
function unservedHorizons({ question, intent }: ReadQuestion): string[] {
  if (intent.tool !== 'get_tail_risk') return [];
  return placesOf(question, 'windowHours', 'period').flatMap(([from, to]) => {
    const hours = question.spans.get(from) ?? Infinity;
    const isSaid = question.word(to) === 'horizon';
    return isTold(intent.tool!, hours) || !(isSaid || isHorizon(intent.tool!, hours))
      ? []
      : [`Losses over ${question.written(from, to)} are not told, only over 1, 7 and 30 days.`];
  });
}
export const isHorizon = (tool: string, hours: number): boolean =>
  tool === 'get_tail_risk' && hours < leastLookback;
/** Ninety days, in hours. */
const leastLookback = 2160;

/** Whether the answer of a tool tells of a span without an argument for it. */
export const isTold = (tool: string, hours: number): boolean =>
  spansTold[tool]?.some((each) => isNear(each, hours)) === true;

/** The spans that an answer tells without an argument for them, in hours. */
const spansTold: Readonly<Record<string, readonly number[]>> = wordList('unserved-span', 'told');
/** Tools whose answer is of all candles that are kept. */
const ofAllTime = wordSet('unserved-span', 'ofAllTime');

const returnsNote = (said: string): string =>
  `The return over ${said} is not told here; returns are over 24 hours, 7, 30 and 90 days, one year and the year so far.`;

const isNear = (one: number, other: number): boolean => Math.abs(one / other - 1) <= tolerance;

interface NamedSpans {
  argument: string;
  values: readonly string[];
}

function namedSpans(tool: string): NamedSpans | null {
  for (const argument of ['period', 'window']) {
    const values = allowedValues(tool, argument);
    if (values.length > 0) return { argument, values };
  }
  return null;
}

function spanOfList(
  { values }: NamedSpans,
  used: string,
  said: string,
  hours: number | undefined,
  isAllTime: boolean,
  isToday: boolean,
): string[] {
  if (used === 'today' && (isToday || hours === 24)) return [];
  if (isToday && hoursOfSpan(used) === 24) return [];
  if (isAllTime && used === 'all') return [];
  const isServed = hours !== undefined && !isAllTime && isNear(hoursOfSpan(used), hours);
  return isServed ? [] : [`${said} can't be covered, only ${listed(values, 'or')}. Over ${used}:`];
}

/** A number of candles that stands for a span: too few where the tool takes no more. */
function spanOfCandles(
  { args, intent, slots }: ReadQuestion,
  name: string,
  hours: number,
  said: string,
): string[] {
  const interval = String(args.interval ?? slots.interval ?? defaultOf(intent.tool!, 'interval'));
  const each = hoursOfSpan(interval);
  const covered = Number(args[name]) * each;
  const { maximum } = listingNamed(intent.tool!)!.inputSchema.properties[name] as { maximum?: number };
  if (covered >= hours * 0.9 - each && covered <= hours * 1.1 + each && hours >= each * 0.9) return [];
  if (slots.candles !== undefined) return [];
  if (hours / each <= (maximum ?? 0))
    return [`This is of the last ${Number(args[name])} candles of ${interval}, not of ${said}.`];
  return covered < hours
    ? [
        `${said} is more than can be read at once, ${maximum ?? String(args[name])} candles of ${interval}. Over these:`,
      ]
    : [`${said} is shorter than can be read; this covers ${String(args[name])} candles of ${interval}.`];
}
