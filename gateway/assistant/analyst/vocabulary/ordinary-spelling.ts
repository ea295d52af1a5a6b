import { groupBy } from '../../../../compute/model/group-by.js';
import { editSteps } from '../../../../compute/model/nearest-names.js';
import { commonWords, ordinaryWords } from './words.js';

/** Shorter words are not corrected to ordinary ones. */
const shortest = 5;
/** From this length on any one error is a slip. */
const long = 6;

const isReordered = (one: string, other: string): boolean =>
  one.at(-1) === other.at(-1) && [...one].sort().join('') === [...other].sort().join('');

/** Whether a word may be the other one misspelt. "Hurst" is no "hurt": of a short one a letter is missing, or two are swapped. */
export const isSlip = (written: string, meant: string): boolean =>
  written.length >= long || meant.length > written.length || isReordered(written, meant);

/** Corrects words to those of ordinary English and to other forms of known words, all by their first letter alone. */
export class OrdinarySpelling {
  readonly #known: readonly string[];
  /** The words by their first letter: made once one is needed. */
  #byLetter: Map<string, string[]> | undefined;

  constructor(known: readonly string[]) {
    this.#known = known;
  }

  /** The word that is one slip away; the most usual one of several. */
  nearest(word: string): string | undefined {
    if (word.length < shortest) return undefined;
    return this.#wordsWith(word.charAt(0)).find(
      (each) => Math.abs(each.length - word.length) <= 1 && isSlip(word, each) && editSteps(word, each) === 1,
    );
  }

  #wordsWith(letter: string): readonly string[] {
    this.#byLetter ??= groupBy([...commonWords, ...ordinaryWords, ...this.#known.flatMap(formsOf)], (word) =>
      word.charAt(0),
    );
    return this.#byLetter.get(letter) ?? [];
  }
}

/** "Short" is "shorts" and "shorting", too. */
function formsOf(word: string): string[] {
  if (word.length < shortest - 1 || /(?:ing|ed|s)$/.test(word)) return [word];
  const bare = word.replace(/e$/, '');
  return [word, `${word}s`, `${bare}ing`, `${bare}ed`];
}
