import { wordSet, wordTable } from '../word-list.js';
import { indicators } from '../../../../compute/indicators/index.js';

/** What people call indicators beside their names and titles. */
const nicknames: Readonly<Record<string, string>> = wordTable('indicator-words', 'nicknames');

/** The names of indicators by the words for them. */
export const indicatorWords: ReadonlyMap<string, string> = new Map([
  ...Object.entries(nicknames),
  ...indicators.flatMap(({ name, title }): [string, string][] => [
    [name.replaceAll('_', ' '), name],
    [
      title
        .toLowerCase()
        .replace(/[^a-z ]+/g, ' ')
        .replace(/ +/g, ' ')
        .trim(),
      name,
    ],
  ]),
]);

/** The names with one value on the scale of prices: closes are compared with them. */
export const priceLines: ReadonlySet<string> = wordSet('indicator-words', 'priceLines');

/** The names whose first parameter is part of the name of a screener's field: rsi_14. */
export const defaultPeriod = (name: string): number | undefined => {
  const indicator = indicators.find((each) => each.name === name);
  const params: Readonly<Record<string, { default: number }>> = indicator?.params ?? {};
  return Object.keys(params).length === 1 ? params.period?.default : undefined;
};

const longestName = 4;
const firstWords = new Set([...indicatorWords.keys()].map((name) => name.split(' ')[0]));

/** The indicator whose name begins at a place, by `word(at)`; the longest name counts. */
export function indicatorAt(word: (at: number) => string, at: number): { name: string; end: number } | null {
  if (!firstWords.has(word(at))) return null;
  for (let length = longestName; length > 0; length--) {
    const words = Array.from({ length }, (_, n) => word(at + n));
    const name = words.includes('') ? undefined : indicatorWords.get(words.join(' '));
    if (name !== undefined) return { name, end: at + length };
  }
  return null;
}
