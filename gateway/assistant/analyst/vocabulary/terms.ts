import { stem } from '../text/stem.js';

/** Words without a subject of their own. */
const stopWords = new Set(
  `a an the please hey hi hello ok okay so well just really very quite like us pls can you could i would kindly thanks there um uh hmm lol bro dude mate sir
   now tell show give see know want need let get got also too`
    .split(/\s+/)
    .map(stem),
);

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
