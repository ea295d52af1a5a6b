import { dataFile } from './data-file.js';

const lists = dataFile<Record<string, Record<string, unknown>>>('word-lists');

/** A list, or a table by word, of data/word-lists.json: that of a file under its name there. */
export const wordList = <Type>(file: string, name: string): Type => lists[file][name] as Type;

/** A list of words, or of phrases between bars. */
export function listedWords<Word extends string = string>(file: string, name: string): readonly Word[] {
  const words = wordList<string>(file, name);
  return words.split(words.includes('|') ? ' | ' : ' ') as Word[];
}

/** The same as a set. */
export const wordSet = <Word extends string = string>(file: string, name: string): ReadonlySet<Word> =>
  new Set(listedWords<Word>(file, name));

/** A table by word, whose rows are a value and the words for it; values that are numbers are read as such. */
export const wordTable = <Value>(file: string, name: string): Readonly<Record<string, Value>> =>
  Object.fromEntries(
    Object.entries(wordList<Record<string, string>>(file, name)).flatMap(([value, words]) =>
      words.split(' | ').map((word) => [word, (isNaN(Number(value)) ? value : Number(value)) as Value]),
    ),
  );
