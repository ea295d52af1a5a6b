import { writtenDates } from './written-dates.js';
import { writtenFigures } from './written-figures.js';
import type { KnownFigures } from './known-figures.js';

/**
 * The figures and dates of an answer, as written, that neither the tool results nor the question hold. These count as
 * the same: a value rounded to the digits that are written, a fraction written in percent, a loss written without its sign, the
 * number of listed things, and a date in any usual form.
 */
export function unsupportedFigures(answer: string, known: KnownFigures): string[] {
  const { dates, rest } = writtenDates(answer);
  const unknownDates = dates.filter(({ within }) => !known.hasDate(within)).map(({ text }) => text);
  const unknownFigures = writtenFigures(rest).filter((figure) => !known.has(figure));
  return [...unknownDates, ...unknownFigures.map(({ text }) => text)];
}
