import { wordSet } from '../word-list.js';

/** Words of trading that change what is asked: one that an answer does not heed is named. Other words of English are not. */
export const fieldWords = wordSet('field-words', 'words');
