import { editSteps } from '../../../../compute/model/nearest-names.js';

/** Shorter words are not corrected: too many words are one letter away from them. */
const shortest = 4;
const longest = 20;
/** From this length on two errors are corrected, below it one. */
const longWord = 8;

/**
 * Corrects words to the nearest known word. Words are found by their forms with one or two letters left out (Garbe's
 * symmetric delete), so that the cost does not grow with the number of known words.
 */
export class Spelling {
  readonly #known: ReadonlyMap<string, number>;
  readonly #byForm = new Map<string, string[]>();

  /** `known`: words with their weights; of words equally near the heavier counts. */
  constructor(known: ReadonlyMap<string, number>) {
    this.#known = known;
    for (const word of known.keys()) {
      if (word.length < shortest || word.length > longest) continue;
      for (const form of shortForms(word)) {
        const words = this.#byForm.get(form);
        if (words) words.push(word);
        else this.#byForm.set(form, [word]);
      }
    }
  }

  /** The nearest known word; null where none is near. */
  correct(word: string): string | null {
    if (word.length < shortest || word.length > longest) return null;
    const candidates = new Set(shortForms(word).flatMap((form) => this.#byForm.get(form) ?? []));
    let best: { word: string; cost: number } | null = null;
    for (const candidate of candidates) {
      const cost = this.#cost(word, candidate);
      if (cost < (best?.cost ?? Infinity)) best = { word: candidate, cost };
    }
    return best?.word ?? null;
  }

  /** Steps between both words; those with another first letter cost more, and heavy words less. Infinity where too far. */
  #cost(word: string, candidate: string): number {
    const steps = editSteps(word, candidate);
    const shorter = Math.min(word.length, candidate.length);
    const allowed = shorter >= longWord ? 2 : 1;
    const begins = candidate.startsWith(word.charAt(0));
    const isSwapped = candidate.startsWith(word.charAt(1) + word.charAt(0));
    if (steps > allowed || (!begins && !isSwapped && (shorter < 6 || steps > 1))) return Infinity;
    // A slip seldom comes early: "chopy" is "choppy", not "copy".
    const late = 0.3 * (sharedStart(word, candidate) / word.length);
    return steps + (begins ? 0 : 0.5) - late - Math.min(0.4, (this.#known.get(candidate) ?? 0) / 100);
  }
}

function sharedStart(word: string, other: string): number {
  let length = 0;
  while (length < word.length && word[length] === other[length]) length++;
  return length;
}

/** The word, and the word without any one letter; of long words also without any two. */
function shortForms(word: string): string[] {
  const forms = new Set([word]);
  const one = withoutOne(word);
  for (const form of one) forms.add(form);
  if (word.length >= longWord - 1)
    for (const form of one) for (const shorter of withoutOne(form)) forms.add(shorter);
  return [...forms];
}

const withoutOne = (word: string): string[] =>
  Array.from({ length: word.length }, (_, at) => word.slice(0, at) + word.slice(at + 1));
