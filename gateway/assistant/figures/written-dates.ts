/** A date or time that prose names. */
export interface NamedDate {
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
