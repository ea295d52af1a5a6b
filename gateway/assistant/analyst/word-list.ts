import { dataFile } from './data-file.js';

const lists = dataFile<Record<string, Record<string, unknown>>>('word-lists');

/** A list, or a table by word, of data/word-lists.json: that of a file under its name there. */
export const wordList = <Type>(file: string, name: string): Type => lists[file][name] as Type;

/** The same as a set of words. */
export function wordSet<Word extends string = string>(file: string, name: string): ReadonlySet<Word> {
  const words = wordList<string | readonly string[]>(file, name);
  return new Set((typeof words === 'string' ? words.split(' ') : words) as readonly Word[]);
}
