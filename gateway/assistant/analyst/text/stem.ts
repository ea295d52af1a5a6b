import { wordTable } from '../word-list.js';
const vowel = /[aeiouy]/;

/** Irregular forms, which no rule below covers. */
const irregular: Readonly<Record<string, string>> = wordTable('stem', 'irregular');

/** A word without its common endings, so that "flips", "flipped" and "flipping" are one: light, and for English alone. */
export function stem(word: string): string {
  if (Object.hasOwn(irregular, word)) return irregular[word];
  if (word.length <= 3) return word;
  return withoutE(withoutParticiple(withoutPlural(word)));
}

function withoutPlural(word: string): string {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|x|ch|sh)es$/.test(word)) return word.slice(0, -2);
  return /[^sui]s$/.test(word) ? word.slice(0, -1) : word;
}

function withoutParticiple(word: string): string {
  const ending = /(?:ing|ed)$/.exec(word);
  if (ending === null) return word;
  const rest = word.slice(0, ending.index);
  if (rest.length < 3 || !vowel.test(rest)) return word;
  return /([bdfgmnprt])\1$/.test(rest) ? rest.slice(0, -1) : rest;
}

const withoutE = (word: string): string => (word.length > 3 && word.endsWith('e') ? word.slice(0, -1) : word);
