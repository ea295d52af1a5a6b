import { listedWords } from '../word-list.js';
import { stem } from '../text/stem.js';

/** Words without a subject of their own. */
const stopWords = new Set(listedWords('terms', 'stopWords').map(stem));

const stems = new Map<string, string>();

/** The stem of a word; kept for the words of the grammar, which come again and again. */
export function termOf(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  const made = stem(word);
  if (stems.size < 5_000) stems.set(word, made);
  return made;
}

export const isStopWord = (term: string): boolean => stopWords.has(term);
