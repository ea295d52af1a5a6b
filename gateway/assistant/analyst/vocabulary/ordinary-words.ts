import { dataFile } from '../data-file.js';
import { stem } from '../text/stem.js';

let words: ReadonlySet<string> | undefined;
let stems: ReadonlySet<string> | undefined;

const made = (): ReadonlySet<string> =>
  (words ??= new Set(dataFile<{ words: string }>('ordinary-words').words.split(' ')));

/** Whether a word is one of ordinary English that has no meaning in questions about markets: "hobby", "gentle". */
export const isOrdinaryWord = (word: string): boolean => made().has(word);

/** The same of a stem. */
export function isOrdinaryTerm(term: string): boolean {
  stems ??= new Set([...made()].map(stem));
  return stems.has(term);
}
