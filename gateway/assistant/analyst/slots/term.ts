import { listedWords, wordSet, wordTable } from '../word-list.js';
import { dataFile } from '../data-file.js';
import { glossaryTerms } from '../glossary-terms.js';
import type { Question } from './question.js';

/** Further words for the terms of the glossary. */
const aliases = wordTable<string>('term', 'aliases');

const terms = new Map<string, string>([
  ...Object.entries(aliases).filter(([, term]) => term in glossaryTerms),
  ...[...Object.keys(glossaryTerms), ...Object.keys(dataFile<object>('definitions'))].map(
    (term): [string, string] => [term.replaceAll('-', ' ').replaceAll('_', ' '), term],
  ),
]);
const longestTerm = 6;
const firstWords = new Set([...terms.keys()].map((term) => term.split(' ')[0]));

/** Words that ask for an explanation. */
const cues = wordSet('term', 'cues');
const pointed = wordSet('term', 'pointed');

const owned = wordSet('term', 'owned');

/** Reads a word of the glossary that is to be explained: "what is a drawdown", "what does distribute mean", or the word alone. */
export function readTerm(question: Question): void {
  if (question.namesAsset) return;
  const found = firstTerm(question);
  if (found === null) return;
  const others = question.tokens
    .flatMap((_, at) => (at < found.from || at >= found.to ? [question.word(at)] : []))
    .filter((word) => word !== '');
  // "And support?" asks for levels.
  const isAlone =
    found.term in glossaryTerms &&
    !question.tokens.some(({ kind }) => kind === 'number') &&
    others.every((word) => ['a', 'an', 'the', 'please', 'and', 'what', 'about'].includes(word)) &&
    !others.includes('about');
  const isAsked =
    others.some((word) => cues.has(word)) ||
    (asksFor(others) && !others.some((word) => owned.has(word))) ||
    (isWhatIs(question, found) && !others.some((word) => pointed.has(word)));
  if (!isAlone && !isAsked) return;
  question.slots.term = found.term;
  question.take('term', found.from, found.to);
}

/** Further ways to say that a word is unknown: "breadth... what is that", "never heard of cvar". */
const askings: readonly string[] = listedWords('term', 'askings');

/** Whether the words ask what a word means, without naming one. */
function asksFor(words: readonly string[]): boolean {
  const text = ` ${words.join(' ')} `;
  return askings.some((each) => text.includes(` ${each} `));
}

/** "What is", "what are", "what exactly is" before the term, and little behind it; "what a drawdown is". */
function isWhatIs({ tokens }: Question, { from, to }: { from: number; to: number }): boolean {
  const before = tokens.slice(Math.max(0, from - 4), from).map(({ text }) => text);
  return (
    (before.includes('what') || before.includes('whats')) &&
    [...before, tokens[to]?.text].some((text) => ['is', 'are', 'was'].includes(text))
  );
}

function firstTerm(question: Question): { term: string; from: number; to: number } | null {
  for (let from = 0; from < question.tokens.length; from++)
    for (let length = firstWords.has(question.word(from)) ? longestTerm : 0; length > 0; length--) {
      const words = question.tokens
        .slice(from, from + length)
        .filter(({ kind, text }) => !(kind === 'mark' && text === '-'));
      const term = terms.get(words.map(({ text }) => text).join(' '));
      if (term !== undefined && from + length <= question.tokens.length && question.isFree(from))
        return { term, from, to: from + length };
    }
  return null;
}

/** The words for terms, for the vocabulary. */
export const termWords: readonly string[] = [...terms.keys()];
