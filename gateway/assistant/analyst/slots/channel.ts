import { wordSet } from '../word-list.js';
import type { Question } from './question.js';

const cues = new Set(['channel', 'provider', 'caller', 'group']);
const leastShouted = 4;
const quoteMarks = /["“”«»]/;

/** Reads the name of a channel: what stands in quotes, or the capitalised words beside "channel". */
export function readChannel(question: Question, text: string): void {
  const cueAt = question.tokens.findIndex(
    (_, at) => cues.has(question.word(at)) || question.word(at) === 'channels',
  );
  const quoted = quoteMarks.test(text) ? /["“«]([^"“”«»]{1,60})["”»]/.exec(text)?.[1] : undefined;
  if (quoted !== undefined && cueAt !== -1) {
    question.slots.channel = quoted.trim();
    takeWords(question, quoted);
  }
  if (question.slots.channel !== undefined) return;
  if (cueAt === -1) return readJoined(question);
  // "BEST CHANNELS LAST 6 MONTHS": where all words are capitals, none is a name.
  const words = question.tokens.filter(({ kind }) => kind === 'word');
  const isShouted = words.length >= leastShouted && words.every(({ raw }) => !/^\p{Ll}/u.test(raw));
  const named = isShouted
    ? undefined
    : (capitalised(question, cueAt + 1, 1) ??
      capitalised(question, cueAt - 1, -1) ??
      hyphenated(question, cueAt + 1) ??
      hyphenated(question, cueAt - 3));
  if (named === undefined) return;
  question.slots.channel = named.name;
  question.take('channel', named.from, named.to);
}

/** "Signals of demo-trend", "demo-trend expectancy": two words with a dash that are no compound of the field. */
function readJoined(question: Question): void {
  if (!question.tokens.some((_, at) => ofChannels.has(question.word(at)))) return;
  const at = question.tokens.findIndex(
    (_, place) =>
      [place, place + 2].every((each) => question.word(each) !== '' && question.isFree(each)) &&
      question.isMark(place + 1, '-') &&
      [place + 1, place + 2].every((each) => question.tokens[each].isJoined === true) &&
      !compounds.has(question.word(place)) &&
      !compounds.has(question.word(place + 2)),
  );
  if (at === -1) return;
  question.slots.channel = question.written(at, at + 3);
  question.take('channel', at, at + 3);
}
const ofChannels = wordSet('channel', 'ofChannels');
const compounds = wordSet('channel', 'compounds');

/** Gives the words of a quoted name to the slot, so that they are not compared with phrases. */
function takeWords(question: Question, quoted: string): void {
  const words = quoted.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];
  const raw = question.tokens.map((token) => token.raw.toLowerCase());
  const at = raw.findIndex((_, place) => words.every((word, n) => raw[place + n] === word));
  if (at !== -1 && words.length > 0) question.take('channel', at, at + words.length);
}

interface Named {
  name: string;
  from: number;
  to: number;
}

/** "The channel demo-trend": two words as one. */
function hyphenated(question: Question, from: number): Named | undefined {
  if (question.word(from) === '' || !question.isMark(from + 1, '-') || question.word(from + 2) === '')
    return undefined;
  return { name: question.written(from, from + 3), from, to: from + 3 };
}

function capitalised(question: Question, start: number, step: 1 | -1): Named | undefined {
  let end = start;
  const isName = (at: number) =>
    (/^\p{Lu}/u.test(question.tokens[at]?.raw ?? '') && question.tokens[at].kind === 'word' && at > 0) ||
    (at !== start && question.tokens[at]?.kind === 'number' && question.isFree(at));
  while (isName(end) && Math.abs(end - start) < 4) end += step;
  if (end === start) return undefined;
  const [from, to] = step === 1 ? [start, end] : [end + 1, start + 1];
  return {
    name: question.tokens
      .slice(from, to)
      .map(({ raw }) => raw)
      .join(' '),
    from,
    to,
  };
}
