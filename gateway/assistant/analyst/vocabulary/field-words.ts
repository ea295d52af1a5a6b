import { wordSet } from '../word-list.js';

/** Words of trading that change what is asked: one that an answer does not heed is named. Other words of English are not. */
export const fieldWords = wordSet('field-words', 'words');

/** Whether it is one of them, also where it stands for several. */
export const isFieldWord = (word: string): boolean =>
  fieldWords.has(word) || fieldWords.has(word.replace(/s$/, ''));
