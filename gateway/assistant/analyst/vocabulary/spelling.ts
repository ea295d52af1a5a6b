import { groupBy } from '../../../../compute/model/group-by.js';
import { editSteps } from '../../../../compute/model/nearest-names.js';

/** Shorter words are not corrected: too many words are one letter away from them. */
const shortest = 4;
const longest = 20;
/** From this length on two errors are corrected, below it one. */
const longWord = 8;
/** From this length on any one error is a slip. */
const longSlip = 6;

/** Corrects words to the nearest of those that begin with their first letter, or with their first two swapped. */
export class Spelling {
  readonly #byLetter: ReadonlyMap<string, readonly string[]>;

  constructor(words: readonly string[]) {
    this.#byLetter = groupBy(words, (word) => word.charAt(0));
  }

  /** The word that is so near by `costOf`, the first of several. */
  nearest(written: string, costOf: (word: string, steps: number) => number): string | undefined {
    if (written.length < shortest || written.length > longest) return undefined;
    const [first, second] = written;
    const swapped = (this.#byLetter.get(second) ?? []).filter((each) => each.startsWith(first, 1));
    let best: { word: string; cost: number } | undefined;
    for (const word of [...(this.#byLetter.get(first) ?? []), ...swapped]) {
      const most = Math.min(written.length, word.length) >= longWord ? 2 : 1;
      if (word.length < shortest || Math.abs(word.length - written.length) > most) continue;
      const steps = editSteps(written, word);
      const cost = steps > most ? Infinity : costOf(word, steps);
      if (cost < (best?.cost ?? Infinity)) best = { word, cost };
    }
    return best?.word;
  }
}

/** Whether a word may be the other one misspelt. "Hurst" is no "hurt": of a short one a letter is missing, or two are swapped. */
export const isSlip = (written: string, meant: string): boolean =>
  written.length >= longSlip || meant.length > written.length || isReordered(written, meant);

const isReordered = (one: string, other: string): boolean =>
  one.at(-1) === other.at(-1) && [...one].sort().join('') === [...other].sort().join('');

/** How many letters two words begin with alike, as a share: a slip seldom comes early, "chopy" is "choppy", not "copy". */
export function sharedStart(word: string, other: string): number {
  let length = 0;
  while (length < word.length && word[length] === other[length]) length++;
  return length / word.length;
}

/** A word in all its forms: "short" is "shorts" and "shorting", too. */
export function formsOf(word: string): string[] {
  if (word.length < shortest || /(?:ing|ed|s)$/.test(word)) return [word];
  const bare = word.replace(/e$/, '');
  return [word, `${word}s`, `${bare}ing`, `${bare}ed`];
}
