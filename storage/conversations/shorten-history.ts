import type { Conversation, ConversationTurn } from './conversation.js';

const wholeTurns = 10;
/** Characters of the turns that are kept whole: a conversation stays far below the 16 MB of a document. */
const wholeLength = 48_000;
/** Characters of the text that stands for the turns before them. */
const earlierLength = 2_000;
const questionLength = 120;
const answerLength = 160;
const titleLength = 80;

/**
 * The history with the latest turns whole and the older ones as a line each: the beginning of the question and the first
 * sentence of the answer. Where these lines grow too long, the oldest are dropped.
 */
export function shortenHistory({
  recent,
  earlier,
}: Pick<Conversation, 'recent' | 'earlier'>): Pick<Conversation, 'recent' | 'earlier'> {
  const whole = keptWhole(recent);
  const lines = recent.slice(0, recent.length - whole).map(lineOf);
  const all = [...(earlier === '' ? [] : earlier.split('\n')), ...lines];
  while (all.join('\n').length > earlierLength) all.shift();
  return { recent: recent.slice(recent.length - whole), earlier: all.join('\n') };
}

/** How many of the latest turns are kept whole: at least the last one. */
function keptWhole(turns: readonly ConversationTurn[]): number {
  let [length, count] = [0, 0];
  for (const { question, answer } of turns.toReversed()) {
    length += question.length + answer.length;
    if (count > 0 && (length > wholeLength || count === wholeTurns)) break;
    count++;
  }
  return count;
}

const lineOf = ({ question, answer }: ConversationTurn): string =>
  `${shortenLine(question, questionLength)} -> ${shortenLine(firstSentence(answer), answerLength)}`;

const firstSentence = (text: string): string => /^.*?[.?!](?=\s|$)/s.exec(text)?.[0] ?? text;

/** The text in one line of at most so many code points. */
function shortenLine(text: string, length: number): string {
  const points = [...text.replace(/\s+/g, ' ').trim()];
  return points.length <= length ? points.join('') : `${points.slice(0, length - 1).join('')}…`;
}

/** The title of a conversation by its first question: at most 80 code points. */
export const titleOf = (question: string): string => shortenLine(question, titleLength);
