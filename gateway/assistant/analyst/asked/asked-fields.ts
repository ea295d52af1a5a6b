import type { Question } from '../slots/question.js';
import type { Token } from '../text/token.js';
import { wordSet } from '../word-list.js';
import { stemsOf } from './meant-rows.js';
import { figureNames, type OutputField } from './output-fields.js';

/** A field that a question asks for. */
export interface AskedField {
  field: OutputField;
  /** The places of its words in the question. */
  at: readonly number[];
}

interface Match extends AskedField {
  /** How well the question fits: words of the name first, then names of the objects around the field, then how few those are. */
  weight: number;
}

/** "When volatility doubles" asks for no volatility. */
const conditionals = wordSet('left-words', 'conditionals');
const distributive = wordSet('output-fields', 'distributive');
/** One other word may stand between those of a name: "ratio of degradation". */
const mostBetween = 1;
/** The names of the objects around a field count within this many words of its own. */
const nearby = 12;
/** The same for a name that says nothing alone. */
const closeBy = 5;

/** The fields that the words of a question name. Of fields that share a word those that more of the question speaks for count. */
export function fieldsNamedIn(fields: readonly OutputField[], tokens: readonly Token[]): AskedField[] {
  const stems = stemsOf(tokens);
  const found = fields.flatMap((field) => matchOf(field, stems));
  const figures = strongest(found.filter(({ field }) => field.kind !== 'range'));
  // "Sample size" may be that of several lists: that of the list whose hit rate is asked for, too.
  const beside = figures.filter((one) =>
    figures.some(
      (other) =>
        !isSame(one, other) && (parentOf(one) === parentOf(other) || isWithin(one.field, other.field)),
    ),
  );
  const sure = figures.filter((one) => beside.includes(one) || !beside.some((other) => isSame(one, other)));
  const ranges = strongest(
    found.filter(({ field }) => field.kind === 'range'),
    (one) => sure.some(({ field }) => field.path.join() === one.field.base?.join()),
    (one) => sure.some(({ field }) => isWithin(one.field, field) || parentOf({ field }) === parentOf(one)),
  );
  // An interval is told with the figure that it is of.
  const isBase = ({ field }: Match) =>
    ranges.some(({ field: range }) => range.base?.join() === field.path.join());
  const taken = sure.filter(isBase).flatMap(({ at }) => at);
  const all = [
    ...sure.filter((one) => !isBase(one)),
    ...ranges.map((one) => ({ ...one, at: [...one.at, ...taken] })),
  ];
  return all.filter(({ field }, n) => all.findIndex((each) => each.field === field) === n);
}

function matchOf(field: OutputField, stems: readonly string[]): Match[] {
  return field.names.flatMap((name) =>
    placesOf(name, stems).flatMap((at): Match[] => {
      const isBare = field.isGeneric && name === field.names[0];
      const reach = isBare ? closeBy : nearby;
      const around = stems.slice(Math.max(0, at[0] - reach), at[0] + reach);
      const near = field.within.filter((outer) =>
        outer.every((each) => around.includes(each) && !name.includes(each)),
      ).length;
      if (isBare && near === 0) return [];
      // "N per weekday" is not that of all.
      const behind = stems.slice(Math.max(...at) + 1, Math.max(...at) + 3);
      const isOfRows = field.path.includes('*') && behind.some((each) => distributive.has(each));
      const weight = at.length * 100 + (near + (isOfRows ? 1 : 0)) * 10 - field.path.length;
      return [{ field, at, weight }];
    }),
  );
}

/** Of the fields in the same words those that fit the first of the conditions that any fits, and of them the heaviest. A list goes before its own fields. */
function strongest(found: readonly Match[], ...conditions: ((one: Match) => boolean)[]): Match[] {
  const fitting = conditions.map((fits) => found.filter(fits)).find(({ length }) => length > 0);
  return (fitting ?? found).filter(
    (one) =>
      !(fitting ?? found).some(
        (other) =>
          other.weight > one.weight &&
          isSame(other, one) &&
          !(isWithin(other.field, one.field) && other.at.length <= one.at.length),
      ),
  );
}

const isWithin = (inner: OutputField, outer: OutputField): boolean =>
  inner.path.length > outer.path.length && outer.path.every((name, at) => inner.path[at] === name);

/** Whether two fields were found in the same words. */
export const isSame = (one: AskedField, other: AskedField): boolean =>
  one.at.some((place) => other.at.includes(place));

const parentOf = ({ field }: Pick<Match, 'field'>): string => field.path.slice(0, -1).join('.');

/** Where a name stands in the question. */
function placesOf(name: readonly string[], stems: readonly string[]): number[][] {
  const places: number[][] = [];
  for (const [from, stem] of stems.entries()) {
    if (!name.includes(stem)) continue;
    const window = stems.slice(from, from + name.length + mostBetween);
    const at = name.map((each) => window.indexOf(each));
    // "I mean weekdays": no figure.
    const isDeed = stem === 'mean' && (stems[from - 1] === 'i' || stems[from - 1] === 'you');
    if (at.every((each) => each >= 0) && !conditionals.has(stems[from - 1]) && !isDeed)
      places.push(at.map((each) => from + each));
  }
  return places;
}

/** The most or the least of a column of rows: "highest high", "lowest daily close". */
export interface AskedExtreme extends AskedField {
  isMost: boolean;
}

/** The extremes that a question asks for, where no figure has these words for its name. */
export function extremesNamedIn(
  fields: readonly OutputField[],
  tokens: readonly Token[],
  taken: readonly AskedField[],
): AskedExtreme[] {
  const stems = stemsOf(tokens);
  return tokens.flatMap(({ text }, from) => {
    if (!most.has(text) && !least.has(text)) return [];
    return fields.flatMap((field) => {
      const [at] = field.names
        .flatMap((name) => placesOf(name, stems))
        .filter(([first]) => first > from && first <= from + 1 + mostBetween);
      const extreme = at && { field, at: [from, ...at], isMost: most.has(text) };
      return extreme && field.isOfSeries && !taken.some((other) => isSame(other, extreme)) ? [extreme] : [];
    });
  });
}
const most = wordSet('output-fields', 'most');
const least = wordSet('output-fields', 'least');

/** The figures of other tools that a question names, as it writes them: "half life" of a backtest. */
export function foreignFigures(question: Question, own: ReadonlySet<number>): string[] {
  const stems = stemsOf(question.tokens);
  return figureNames
    .flatMap((name) => placesOf(name, stems))
    .filter((at) => at.every((place) => question.isFree(place) && !own.has(place)))
    .map((at) => question.written(Math.min(...at), Math.max(...at) + 1));
}
