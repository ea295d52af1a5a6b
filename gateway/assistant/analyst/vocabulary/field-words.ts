import { dataFile } from '../data-file.js';

/** Words of trading that change what is asked: one that an answer does not heed is named. Other words of English are not. */
export const fieldWords: ReadonlySet<string> = new Set(
  dataFile<{ words: string }>('field-words').words.split(' '),
);
