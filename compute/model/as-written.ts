/** How people write what a value may mean: choices, lengths of time, moments. Nothing here guesses: what is not unique is not read. */

const minutesOf: Readonly<Record<string, number>> = {
  m: 1,
  min: 1,
  minute: 1,
  h: 60,
  hr: 60,
  hour: 60,
  d: 1_440,
  day: 1_440,
  w: 10_080,
  week: 10_080,
  mo: 43_800,
  month: 43_800,
  y: 525_600,
  yr: 525_600,
  year: 525_600,
};

const everyWords: Readonly<Record<string, string>> = {
  hourly: '1h',
  daily: '1d',
  weekly: '1w',
  monthly: '1mo',
  yearly: '1y',
};

/** A length of time in minutes, such as `4H`, `60m`, `daily` or `3 months`; `M` alone are months. Null for any other text. */
function readMinutes(given: string): number | null {
  const text = everyWords[given.trim().toLowerCase()] ?? given.trim();
  const [, count = '1', unit = ''] = /^(\d{1,5})?[\s-]*([a-z]+)$/i.exec(text) ?? [];
  const name = unit === 'M' ? 'mo' : unit.toLowerCase().replace(/(?<=..)s$/, '');
  return Object.hasOwn(minutesOf, name) ? Number(count) * minutesOf[name] : null;
}

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('&', 'and')
    .replaceAll(/[^a-z\d]/g, '');

/** The one choice that a text means, whatever its case, blanks and hyphens, or as the same length of time; else the text itself. */
export function readChoice(given: string, choices: readonly string[]): string {
  if (choices.includes(given)) return given;
  const text = plain(given);
  const minutes = readMinutes(given);
  const meant =
    only(choices.filter((each) => plain(each) === text)) ??
    (minutes === null ? undefined : only(choices.filter((each) => readMinutes(each) === minutes)));
  return meant ?? given;
}

const only = (found: readonly string[]): string | undefined => (found.length === 1 ? found[0] : undefined);

/** What `readTime` reads, for error messages. */
export const timeForms =
  'a time such as 2026-01-31, 2026-01-31 12:00 or 2026-01-31T12:00:00Z (UTC unless it has an offset), or seconds or milliseconds since 1970';

const written =
  /^(\d{4})([-/])(\d\d?)\2(\d\d?)(?:[T ]\s*(\d\d?):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s*(Z|UTC|[+-]\d\d:?\d\d)?)?$/i;

/** Numbers below this are seconds since 1970, others milliseconds. */
const firstMs = 1e11;
/** Smaller numbers mean no moment of a market: they are days, or dates without hyphens. */
const leastSeconds = 1e8;

/** The largest offset from UTC of a place on Earth, in minutes. */
const furthestZone = 14 * 60;

/** A moment in ms since 1970, in one of `timeForms`. Null for any other text, and for a day that its month lacks. */
export function readTime(given: string | number): number | null {
  const text = String(given).trim();
  if (/^\d{9,13}(\.\d+)?$/.test(text)) {
    const value = Number(text);
    if (value < leastSeconds) return null;
    return Math.round(value < firstMs ? value * 1_000 : value);
  }
  const [, year, , month, day, hour = '0', minute = '0', second = '0', fraction = '', zone = 'Z'] =
    written.exec(text) ?? [];
  if (year === undefined) return null;
  const parts = [year, month, day, hour, minute, second].map(Number);
  const time = Date.UTC(parts[0], parts[1] - 1, parts[2], parts[3], parts[4], parts[5]);
  const read = new Date(time);
  const found = [
    read.getUTCFullYear(),
    read.getUTCMonth() + 1,
    read.getUTCDate(),
    read.getUTCHours(),
    read.getUTCMinutes(),
    read.getUTCSeconds(),
  ];
  if (found.some((part, n) => part !== parts[n])) return null;
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(zone) ?? [];
  const offset = sign === undefined ? 0 : Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes));
  if (Math.abs(offset) > furthestZone || Number(minutes ?? 0) > 59) return null;
  return time + Math.floor(Number(`0.${fraction || '0'}`) * 1_000) - offset * 60_000;
}
