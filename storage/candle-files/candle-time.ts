/** How many of each unit make a millisecond; the units of numbers in a time column. */
const perMs = { s: 1e-3, ms: 1, us: 1e3, ns: 1e6 } as const;

export type TimeUnit = keyof typeof perMs;

export const timeUnits = Object.keys(perMs) as TimeUnit[];

const unitWords: Record<TimeUnit, string> = {
  s: 'seconds',
  ms: 'milliseconds',
  us: 'microseconds',
  ns: 'nanoseconds',
};

/** The order of day and month in dates such as 03/04/2024. */
export type DateOrder = 'day-first' | 'month-first';

export const dateOrders: readonly DateOrder[] = ['day-first', 'month-first'];

/** What the caller says of the times of a file. Each part that is left out is detected. */
export interface GivenTime {
  timeUnit?: TimeUnit | undefined;
  dateOrder?: DateOrder | undefined;
}

export interface TimeReader {
  /** What was detected, as the end of a sentence: ` as seconds`, ` as dates, month first`. */
  words: string;
  /** The time in ms since 1970; NaN where the text is no time. Dates without a zone are in UTC. */
  read(text: string): number;
}

const number = /^[+-]?\d+(\.\d*)?(e[+-]?\d+)?$/i;
const clock = String.raw`(?:[T ,]+(\d{1,2}):?(\d{2})?(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:[ -]?([AP]M))?)?`;
const zone = String.raw`\s*((?:Z|UTC|GMT)?(?:[+-]\d{2}(?::?\d{2})?)?)`;
const yearFirst = new RegExp(String.raw`^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})${clock}${zone}$`, 'i');
const yearLast = new RegExp(String.raw`^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})${clock}${zone}$`, 'i');
const dayOfMonth = new RegExp(String.raw`^(\d{1,2})[ -]([A-Z]{3,9})[ -](\d{4})${clock}${zone}$`, 'i');
const monthAndDay = new RegExp(String.raw`^([A-Z]{3,9}) (\d{1,2}),? (\d{4})${clock}${zone}$`, 'i');

const dateForms = [yearFirst, yearLast, dayOfMonth, monthAndDay];

/**
 * How to read the times of a column, from some of its texts. Throws an `Error` that names the option to give where they can
 * be read in two ways, and where numbers are in no known unit.
 */
export function detectTime(texts: readonly string[], given: GivenTime): TimeReader {
  const numbers = texts.filter((text) => number.test(text));
  const dates = texts.filter((text) => dateForms.some((form) => form.test(text)));
  if (numbers.length > 0 && numbers.length >= dates.length) return numericTime(numbers, given.timeUnit);
  if (dates.length === 0) return { words: ' as no known time', read: () => NaN };
  const order = given.dateOrder ?? detectOrder(texts);
  const isSwappable = texts.some((text) => yearLast.test(text));
  return {
    words: isSwappable ? ` as dates, ${order.replace('-', ' ')}` : ' as dates',
    read: (text) => (number.test(text) ? readNumber(text, given.timeUnit) : readDate(text, order)),
  };
}

function numericTime(texts: readonly string[], given: TimeUnit | undefined): TimeReader {
  const units = new Set(texts.flatMap((text) => given ?? unitOf(Number(text)) ?? []));
  if (units.size === 0)
    throw new Error(
      `"${texts[0]}" is not a time since 2001 in seconds, milliseconds, microseconds or nanoseconds; name the unit by --time-unit`,
    );
  const words = timeUnits.filter((unit) => units.has(unit)).map((unit) => unitWords[unit]);
  return { words: ` as ${words.join(' and ')}`, read: (text) => readNumber(text, given) };
}

/** The unit in which a number is a time from 2001 to 5138; undefined for other numbers. These ranges do not overlap. */
function unitOf(value: number): TimeUnit | undefined {
  const size = Math.abs(value);
  if (size < 1e9) return undefined;
  if (size < 1e11) return 's';
  if (size < 1e14) return 'ms';
  if (size < 1e17) return 'us';
  return size < 1e20 ? 'ns' : undefined;
}

/** Detects the unit of each number by its size: exchanges have changed their unit, and joined files contain both. */
function readNumber(text: string, given: TimeUnit | undefined): number {
  const value = number.test(text) ? Number(text) : NaN;
  const unit = given ?? unitOf(value);
  if (unit === undefined) return NaN;
  // A double holds nanoseconds since 1970 to 256 ns only.
  if (unit === 'ns') return /^\d+$/.test(text) && text.endsWith('000000') ? Number(text.slice(0, -6)) : NaN;
  return unit === 's' ? value * 1_000 : value / perMs[unit];
}

/** Which of the two numbers before the year is the day. Dates with dots have the day first. */
function detectOrder(texts: readonly string[]): DateOrder {
  let dayFirst: string | undefined;
  let monthFirst: string | undefined;
  let unclear: string | undefined;
  for (const text of texts) {
    const [, first, mark, second] = yearLast.exec(text) ?? [];
    if (first === undefined) continue;
    if (Number(first) > 12 || mark === '.') dayFirst ??= text;
    else if (Number(second) > 12) monthFirst ??= text;
    else unclear ??= text;
  }
  if (dayFirst !== undefined && monthFirst !== undefined)
    throw new Error(`"${dayFirst}" has the day first and "${monthFirst}" the month`);
  if (dayFirst === undefined && monthFirst === undefined && unclear !== undefined)
    throw new Error(`"${unclear}" may have the day or the month first; say which by --date-order`);
  return dayFirst === undefined ? 'month-first' : 'day-first';
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const monthNamed = (name: string) => months.indexOf(name.slice(0, 3).toLowerCase()) + 1;

function readDate(text: string, order: DateOrder): number {
  let match = yearFirst.exec(text);
  if (match) return timeOf(Number(match[1]), Number(match[3]), Number(match[4]), match.slice(5));
  match = yearLast.exec(text);
  if (match) {
    const [day, month] = order === 'day-first' ? [match[1], match[3]] : [match[3], match[1]];
    return timeOf(Number(match[4]), Number(month), Number(day), match.slice(5));
  }
  match = dayOfMonth.exec(text);
  if (match) return timeOf(Number(match[3]), monthNamed(match[2]), Number(match[1]), match.slice(4));
  match = monthAndDay.exec(text);
  return match ? timeOf(Number(match[3]), monthNamed(match[1]), Number(match[2]), match.slice(4)) : NaN;
}

/** The time of a date, and of the parts that `clock` and `zone` find. NaN where there is no such day or hour. */
function timeOf(year: number, month: number, day: number, parts: readonly (string | undefined)[]): number {
  const [hourText, minute = '0', second = '0', fraction = '0', half, zoneText = ''] = parts;
  const hour = hourOf(hourText, half);
  const ms = Number(`0.${fraction}`) * 1_000;
  if (Number(minute) > 59 || Number(second) > 59 || !(hour < 24)) return NaN;
  const midnight = new Date(Date.UTC(year, month - 1, day));
  // `Date.UTC` takes 31 April for 1 May.
  if (midnight.getUTCMonth() !== month - 1 || midnight.getUTCDate() !== day) return NaN;
  const offset = offsetMinutes(zoneText);
  return midnight.getTime() + (hour * 60 + Number(minute) - offset) * 60_000 + Number(second) * 1_000 + ms;
}

function hourOf(text: string | undefined, half: string | undefined): number {
  const hour = Number(text ?? '0');
  if (half === undefined) return hour;
  if (hour < 1 || hour > 12) return NaN;
  return (hour % 12) + (half.toUpperCase() === 'PM' ? 12 : 0);
}

function offsetMinutes(zoneText: string): number {
  const [, sign, hours, minutes = '0'] = /([+-])(\d{2}):?(\d{2})?$/.exec(zoneText) ?? [];
  return hours === undefined ? 0 : (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
}
