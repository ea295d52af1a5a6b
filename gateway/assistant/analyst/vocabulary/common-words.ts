import { dataFile } from '../data-file.js';
import { wordSet } from '../word-list.js';

/** Words that say nothing, whatever is asked. */
export const fillerWords: readonly string[] = dataFile<{ fillers: string }>('rule-words').fillers.split(' ');

/** Ordinary English words: they are never taken for a misspelt word of the field, nor for the symbol of an asset. */
export const commonWords: ReadonlySet<string> = new Set([
  ...wordSet('common-words', 'commonWords'),
  ...fillerWords,
]);
