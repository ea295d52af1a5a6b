import { dataFile } from '../data-file.js';
import type { Token } from '../text/token.js';
import type { Question } from '../slots/question.js';

/** A subject that people ask about and that no tool has. */
interface Subject {
  is: string;
  /** Words for it, with " | " between them. */
  words: string;
  /** What is here in its place, as the end of a sentence: "prices are". */
  instead?: string;
  /** What is said instead, as a sentence. */
  why?: string;
  /** A currency or a form of the answer: what is asked can be told otherwise. */
  isBeside?: true;
  isCurrency?: true;
  /** It stands where an asset would: what is asked can be told of an asset beside it. */
  isAsset?: true;
  /** Words beside which it is no such subject. */
  notWith?: readonly string[];
  /** Words of which one must stand beside it. */
  with?: readonly string[];
}

const subjects = dataFile<Subject[]>('not-here');
const byWords = new Map(
  subjects.flatMap((subject) => subject.words.split(' | ').map((words) => [words, subject] as const)),
);
const longest = 5;
/** The words of all subjects, for the vocabulary. */
export const subjectWords: readonly string[] = [...byWords.keys()];

const pricers = new Set(['in', 'to', 'against', 'into', 'vs', '/', 'many']);

/** Hears the subjects that are not here: news, on-chain data, other markets. Words that are to be explained are none. */
export function hearSubjects(question: Question): void {
  const words = question.tokens.map((_, at) => question.word(at));
  const heard = new Set<Subject>();
  for (let at = 0; at < words.length; at++)
    for (let length = longest; length > 0; length--) {
      const text = wordsAt(question, at, length);
      const subject = byWords.get(text) ?? (length === 1 ? byWords.get(question.tokens[at].raw) : undefined);
      const isBeside = (word: string) => isWritten(question, at, word);
      if (!subject || !question.isFree(at) || subject.notWith?.some(isBeside)) continue;
      if (subject.with && !subject.with.some(isBeside)) continue;
      if (
        subject.isCurrency &&
        ![1, 2].some((back) => pricers.has(words[at - back])) &&
        !question.isMark(at - 1, '/') &&
        question.tokens[at - 1]?.kind !== 'number'
      )
        continue;
      const said = question.written(at, at + length);
      const is = subject.is.replace('{heard}', said);
      const kind = subject.isBeside ? 'beside' : 'subject';
      if (heard.has(subject)) question.take(kind, at, at + length);
      else
        question.hear(kind, at, at + length, {
          isAsset: subject.isAsset === true,
          why:
            subject.why?.replace('{heard}', said) ??
            `${is} ${/s$|and /.test(subject.is) && !/(news|is|index)$/i.test(subject.is) ? 'are' : 'is'} not among the data here ("${said}"); ${subject.instead}.`,
        });
      heard.add(subject);
      break;
    }
}

/** Whether the clause around a place has a word as it is written. */
function isWritten(question: Question, place: number, word: string): boolean {
  const { from, end } = question.clauseAround(place);
  return question.tokens
    .slice(from, end)
    .some(({ text, isCorrected }) => text === word && isCorrected !== true);
}

/** The words from a place on, numbers between them included; dashes and slashes are blanks. */
function wordsAt(question: Question, at: number, length: number): string {
  const tokens = question.tokens.slice(at, at + length);
  const isBlank = ({ text }: Token, n: number) => ['-', '/'].includes(text) && n > 0 && n < length - 1;
  const isOther = (token: Token, n: number) =>
    token.kind !== 'word' && token.kind !== 'number' && !isBlank(token, n);
  if (tokens.length < length || tokens.some(isOther)) return '';
  return tokens
    .filter((token, n) => !isBlank(token, n))
    .map(({ kind, text, raw }) => (kind === 'number' ? raw : text).toLowerCase())
    .join(' ');
}
