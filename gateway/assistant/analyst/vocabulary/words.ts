import { dataFile } from '../data-file.js';
import { stem } from '../text/stem.js';
import { listedWords, wordSet } from '../word-list.js';

/** Words that say nothing, whatever is asked. */
export const fillerWords: readonly string[] = dataFile<{ fillers: string }>('rule-words').fillers.split(' ');

/** Ordinary English words: they are never taken for a misspelt word of the field, nor for the symbol of an asset. */
export const commonWords: ReadonlySet<string> = new Set([
  ...wordSet('common-words', 'commonWords'),
  ...fillerWords,
  ...wordSet('talk-words', 'courtesies'),
  ...dataFile<{ phrases: string }>('talk')
    .phrases.split(' | ')
    .filter((each) => !each.includes(' ')),
]);

/** Words of trading that change what is asked: one that an answer does not heed is named. Other words of English are not. */
export const fieldWords = wordSet('field-words', 'words');

/** Whether it is one of them, also where it stands for several. */
export const isFieldWord = (word: string): boolean =>
  fieldWords.has(word) || fieldWords.has(word.replace(/s$/, ''));

/** Words of ordinary English without a meaning in questions about markets. */
export const ordinaryWords: ReadonlySet<string> = new Set(
  dataFile<{ words: string }>('ordinary-words').words.split(' '),
);
let ordinaryStems: ReadonlySet<string> | undefined;

/** Whether a word is one of ordinary English that has no meaning in questions about markets: "hobby", "gentle". */
export const isOrdinaryWord = (word: string): boolean => ordinaryWords.has(word);

/** The same of a stem. */
export const isOrdinaryTerm = (term: string): boolean =>
  (ordinaryStems ??= new Set([...ordinaryWords].map(stem))).has(term);

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
