import { writtenFigures, type Figure } from './written-figures.js';

/** A date or time that prose names. */
interface NamedDate {
  /** As it is written. */
  text: string;
  /** What the ISO 8601 form of a matching time contains: `2026-11-22`, `2026-11`, `-11-22T`, `T14:00`. */
  within: string;
  start: number;
}

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const month = '(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?';
const day = '(\\d{1,2})(?:st|nd|rd|th)?';
const year = '(\\d{4})';

const two = (text: string): string => text.padStart(2, '0');
const monthOf = (word: string): string => two(String(months.indexOf(word.toLowerCase()) + 1));

/** The ways to write dates, the longest first, and what each means. */
const forms: readonly [pattern: string, within: (...parts: string[]) => string][] = [
  ['(\\d{4}-\\d{2}-\\d{2})(?!\\d)', (date) => date],
  ['(\\d{4}-\\d{2})(?![\\d-])', (part) => part],
  ['(?<=\\b(?:in|since|during|of|from|until) )((?:19|20)\\d{2})\\b(?![.,]?\\d)', (y) => `${y}-`],
  [`${day} ${month},? ${year}\\b`, (d, m, y) => `${y}-${monthOf(m)}-${two(d)}`],
  [`${month} ${day},? ${year}\\b`, (m, d, y) => `${y}-${monthOf(m)}-${two(d)}`],
  [`${month} ${year}\\b`, (m, y) => `${y}-${monthOf(m)}`],
  [`${day} ${month}(?![a-z])`, (d, m) => `-${monthOf(m)}-${two(d)}T`],
  [`${month} ${day}\\b(?![.,]?\\d)`, (m, d) => `-${monthOf(m)}-${two(d)}T`],
  ['(\\d{1,2}):(\\d{2})(?::\\d{2})?(?:\\.\\d+)?', (hour, minute) => `T${two(hour)}:${minute}`],
];

const patterns = forms.map(([pattern, within]) => ({
  pattern: new RegExp(`(?<![\\w.])${pattern}`, 'gi'),
  within,
}));

/** The dates and times that a text names, and the text with them blanked out. */
export function writtenDates(text: string): { dates: NamedDate[]; rest: string } {
  const dates: NamedDate[] = [];
  let rest = text;
  // The hour of an ISO time follows its date at once; spaces keep every place as it is.
  rest = rest
    .replace(/(\d{4}-\d{2}-\d{2})T(?=\d)/g, '$1 ')
    .replace(/(\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?)Z\b/g, '$1 ');
  for (const { pattern, within } of patterns)
    rest = rest.replace(pattern, (found: string, ...more: unknown[]) => {
      const start = more.find((each) => typeof each === 'number')!;
      const parts = more.slice(0, more.indexOf(start)) as string[];
      dates.push({ text: found, within: within(...parts), start });
      return ' '.repeat(found.length);
    });
  return { dates, rest };
}

/** Numbers of plain data that are times: in seconds or ms since 1970, from 2001 to 2096. */
const isTime = (value: number): boolean =>
  Number.isInteger(value) && ((value > 1e9 && value < 4e9) || (value > 1e12 && value < 4e12));

const isoTime = /\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})?)?/g;

/** Spans that an answer may name without data: the last 24 hours, a year of 365 days. */
const usualSpans = new Set([1, 7, 12, 14, 24, 30, 52, 60, 90, 365]);
const spanUnits = /^(?:h|hours?|d|days?|w|weeks?|months?|y|years?|minutes?|min|seconds?|s)$/;

/** The numbers and times of plain data. Takes time in proportion to its size, plus sorting. */
export class KnownFigures {
  readonly #values: number[] = [];
  readonly #times: string[] = [];

  /** `question`: figures that the question named. `data`: tool results and what the tools were asked for. */
  constructor(question: string, data: readonly unknown[]) {
    const { dates, rest } = writtenDates(question);
    this.#times.push(...dates.map(({ within }) => within));
    for (const { value, scales } of writtenFigures(rest))
      this.#values.push(value, ...scales.map((scale) => value * scale));
    for (const each of data) this.#add(each);
    this.#values.sort((a, b) => a - b);
  }

  /** Whether the data or the question has a time that fits the named date. */
  hasDate(within: string): boolean {
    return this.#times.some((time) => time.includes(within) || within.includes(time));
  }

  /** Whether a value, rounded to the digits that are written, is the figure. A figure without a sign may be that of a loss. */
  has({ value, scales, tolerance, sign, isRough, unit }: Figure): boolean {
    if (usualSpans.has(value) && spanUnits.test(unit)) return true;
    return scales.some((scale) => {
      const size = value * scale;
      const within = (isRough ? Math.max(tolerance, roughness(value)) : tolerance) * scale + size * 1e-9;
      return (
        (sign >= 0 && this.#hasBetween(size - within, size + within)) ||
        (sign <= 0 && this.#hasBetween(-size - within, -size + within))
      );
    });
  }

  #hasBetween(low: number, high: number): boolean {
    let [from, to] = [0, this.#values.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (this.#values[middle] < low) from = middle + 1;
      else to = middle;
    }
    return from < this.#values.length && this.#values[from] <= high;
  }

  #add(value: unknown): void {
    if (typeof value === 'number') this.#addNumber(value);
    else if (typeof value === 'string') this.#addText(value);
    else if (Array.isArray(value)) {
      this.#values.push(value.length);
      for (const each of value) this.#add(each);
    } else if (typeof value === 'object' && value !== null)
      for (const [name, each] of Object.entries(value)) {
        this.#addDigits(name);
        this.#add(each);
      }
  }

  #addNumber(value: number): void {
    if (!Number.isFinite(value)) return;
    this.#values.push(value);
    if (isTime(value)) this.#times.push(new Date(value < 4e9 ? value * 1_000 : value).toISOString());
  }

  #addText(text: string): void {
    for (const [time] of text.matchAll(isoTime))
      this.#times.push(time.length === 10 ? `${time}T00:00` : time);
    this.#addDigits(text.replace(isoTime, ' '));
  }

  #addDigits(text: string): void {
    for (const [digits] of text.matchAll(/-?\d[\d,]*(?:\.\d+)?/g)) {
      const value = Number(digits.replaceAll(',', ''));
      if (Number.isFinite(value)) this.#values.push(value, Math.abs(value));
    }
  }
}

/** The tolerance of a rough figure: half a unit of its last digit that is not 0, and 5 % at most. */
function roughness(value: number): number {
  let unit = 1;
  while (value > 0 && value % (unit * 10) === 0) unit *= 10;
  return Math.min(unit / 2, value * 0.05);
}
