import { wordSet } from '../word-list.js';
import type { Question } from './question.js';

const before = wordSet('count', 'before');
const candleWords = wordSet('count', 'candleWords');
const windows = new Set(['window', 'lookback', 'horizon']);
const joints = new Set(['of', '=', ':']);
const notCounted = new Set('dollars bucks usd usdt percent account'.split(' '));

/** Reads a number of things, "the last 5 flips", "top ten", and of candles, "within 3 bars". */
export function readCount(question: Question): void {
  question.tokens.forEach((_, at) => {
    const number = question.number(at);
    if (number?.unit !== '' || !Number.isInteger(number.value)) return;
    const value = number.value!;
    if (value < 1 || value > (nounBehind(question, at + 1) ? 1e7 : 20_000)) return;
    const after = question.isMark(at + 1, '-') ? question.word(at + 2) : question.word(at + 1);
    const cue = joints.has(question.tokens[at - 1]?.text) ? at - 2 : at - 1;
    const isWindow = windows.has(question.word(cue)) || question.phrase(cue - 1, 2) === 'window length';
    if (isWindow || candleWords.has(wordBehindSpan(question, at + 1))) {
      // "10 candles after" are those that followed.
      const isBehind = /^(?:after|afterwards|later)$/.test(wordBehindSpan(question, at + 2));
      if (!isBehind || !question.namesAsset) question.slots.candles ??= value;
      question.take('candles', at, at + 1);
    } else if (before.has(question.word(at - 1)) && !notCounted.has(after)) {
      question.slots.count ??= value;
      question.take('count', at, at + 1);
    } else if (
      countedThings.has(after) ||
      ranks.has(after) ||
      (after === 'of' && ['them', 'those', 'the', 'these', 'your', 'my'].includes(question.word(at + 2))) ||
      nounBehind(question, at + 1)
    ) {
      question.slots.count ??= value;
      question.take('count', at, at + 1);
    }
  });
}

/** "5 support levels", "10 accumulate coins": a noun that is counted within three words, with no number between. */
function nounBehind(question: Question, start: number): boolean {
  for (let at = start; at < start + 4; at++) {
    const word = question.word(at);
    if (word === '' || counters.has(word)) return false;
    if (countedThings.has(word)) return true;
  }
  return false;
}

/** A number before these belongs to something else. */
const counters = wordSet('count', 'counters');

/** The word behind a number, past the length of candles: "5 daily candles", "ten closed 4h bars". */
function wordBehindSpan(question: Question, start: number): string {
  let at = start;
  while (
    at < start + 3 &&
    (question.isMark(at, '-') ||
      question.slotAt(at) === 'interval' ||
      candleAdjectives.has(question.word(at)))
  )
    at++;
  return question.word(at);
}

/** "My 5 latest orders", "three worst". */
const ranks = wordSet('count', 'ranks');

const candleAdjectives = wordSet('count', 'candleAdjectives');

/** What people count. */
export const countedThings = wordSet('count', 'countedThings');
