import { wordList, wordSet, wordTable } from '../word-list.js';
import { strategies } from '../../../../compute/strategies/index.js';
import { indicatorAt } from './indicator-words.js';
import type { Question } from './question.js';

/** Words for strategies. Those that also name an indicator or a state count beside a word of testing alone. */
const nicknames: Readonly<Record<string, string>> = wordList('strategy', 'nicknames');
const beside: Readonly<Record<string, string>> = wordList('strategy', 'beside');

const testWords = wordSet('strategy', 'testWords');

/** A strategy that is named, and the place behind its name. */
interface ReadName {
  strategy: string;
  end: number;
}

interface Name {
  words: readonly string[];
  strategy: string;
  needsTest: boolean;
}

const names: readonly Name[] = [
  ...strategies.flatMap(({ name, title }) => {
    const own = [name.replaceAll('_', ' '), title.toLowerCase()];
    const isShared = name in beside && beside[name].split(' | ').includes(own[0]);
    return [...new Set(own)].map((words) => ({
      words: words.split(' '),
      strategy: name,
      needsTest: isShared,
    }));
  }),
  ...[nicknames, beside].flatMap((table) =>
    Object.entries(table).flatMap(([strategy, all]) =>
      all.split(' | ').map((words) => ({ words: words.split(' '), strategy, needsTest: table === beside })),
    ),
  ),
].sort((a, b) => b.words.length - a.words.length);

const namesByFirst = new Map<string, Name[]>();
for (const name of names) namesByFirst.set(name.words[0], [...(namesByFirst.get(name.words[0]) ?? []), name]);

/** Reads the strategies and the parameters of the first: "10/30 ema cross", "ema cross fast 10 slow 30", "supertrend". */
export function readStrategy(question: Question): void {
  const isHypothetical = ['would', 'have'].every((word) =>
    question.tokens.some((_, at) => question.word(at) === word),
  );
  // Beside a name that only strategies have, the others are strategies, too.
  const isTest =
    isHypothetical ||
    question.tokens.some((_, at) => exits.has(question.phrase(at, 2))) ||
    question.tokens.some((_, at) => testWords.has(question.word(at)) || isPeriod(question, at)) ||
    question.tokens.some((_, at) => question.isFree(at) && nameAt(question, at, false) !== null);
  const found: string[] = [];
  for (let at = 0; at < question.tokens.length; at++) {
    const read = question.isFree(at) ? nameAt(question, at, isTest) : null;
    if (read === null || isOfLongerName(question, at, read)) continue;
    // "Better than buy and hold"
    if (isBenchmark(question, at, read.strategy)) {
      if (question.word(at - 1) === 'than') question.slots.leaderboardRank ??= 'excess_return';
      question.take('leaderboardRank', at - 1, read.end);
      continue;
    }
    if (!found.includes(read.strategy)) found.push(read.strategy);
    readParams(question, read.strategy, at, read.end);
    question.take('strategy', at, read.end);
    at = read.end - 1;
  }
  if (found.length === 0) {
    // "Compare all eight strategies on BTC and ETH"
    const all = question.tokens.findIndex((_, at) =>
      /^all(?: \w+| \(8\))? (?:strategies|presets)$/.test(question.phrase(at, 3)),
    );
    if (all === -1 || !question.namesAsset) return;
    found.push(...strategies.map(({ name }) => name));
    question.take('strategies', all, all + 3);
  }
  question.slots.strategy = found[0];
  question.slots.strategies = found;
}

/** What is said of a rule alone: "donchian on BTC, but exit after 3 days". */
const exits = new Set(['exit after', 'exit when', 'exit at', 'exit if']);

/** Whether it names a strategy by a name that nothing else has. */
export const namesStrategy = (question: Question): boolean =>
  question.tokens.some(
    (_, at) => question.slotAt(at) === 'strategy' && nameAt(question, at, false, () => true) !== null,
  );

/** "Ichimoku cloud breakout", "the RSI divergence strategy": a name that is part of another one. */
function isOfLongerName(question: Question, at: number, { strategy, end }: ReadName): boolean {
  const isOther = (place: number) => {
    const name = indicatorAt((each) => question.word(each), place)?.name;
    return name !== undefined && strategyOf(name) !== strategy;
  };
  const isVague = question.word(at) !== strategy.split('_')[0];
  if (isVague && [1, 2].some((back) => isOther(at - back) && !listMarks.has(question.tokens[at - 1].text)))
    return true;
  const [next, behind] = [question.word(end), question.word(end + 1)];
  return next !== '' && question.isFree(end) && ofRules.has(behind) && !around.has(next);
}
const listMarks = new Set([',', 'and', 'or', 'vs', '/']);
const ofRules = new Set(['strategy', 'strategies', 'system', 'setup']);
const around = wordSet('strategy', 'aroundRules');

const isBenchmark = (question: Question, at: number, strategy: string): boolean =>
  strategy === 'buy_and_hold' &&
  (question.word(at - 1) === 'than' || question.phrase(at - 2, 2) === 'excess over');

/** Months and years are said of tests: "donchian on LINK, past 12 months". */
const isPeriod = (question: Question, at: number): boolean =>
  ['month', 'months', 'year', 'years'].includes(question.word(at)) ||
  ['month', 'year'].includes(question.tokens[at].unit ?? '') ||
  /^(?:3|6|12)m$/i.test(question.tokens[at].raw);

/** The strategy whose name begins there; numbers within it are its parameters: "ema 12 26 cross". */
function nameAt(
  question: Question,
  at: number,
  isTest: boolean,
  isFree = (place: number) => question.isFree(place),
): ReadName | null {
  for (const { words, strategy, needsTest } of namesByFirst.get(question.word(at)) ?? []) {
    if (needsTest && !isTest) continue;
    let place = at;
    const isNamed = words.every((word, n) => {
      while (
        n > 0 &&
        (question.number(place) !== undefined || question.isMark(place, '/') || question.isMark(place, '-'))
      )
        place++;
      return isFree(place) && question.word(place++) === word;
    });
    if (isNamed) return { strategy, end: place };
  }
  return null;
}

/** The strategy that trades an indicator: after a backtest "what about the supertrend" means it. */
export const strategyOf = (indicator: string): string | undefined =>
  Object.entries(beside).find(([, words]) =>
    words.split(' | ').includes(indicator.replaceAll('_', ' ')),
  )?.[0];

/** Words for the parameters of strategies beside their names. */
const paramWords: Readonly<Record<string, string>> = wordTable('strategy', 'paramWords');

function readParams(question: Question, strategy: string, from: number, to: number): void {
  const known = Object.keys(strategies.find(({ name }) => name === strategy)?.params ?? {});
  const params: Record<string, number> = {};
  const listed = [
    ...listBefore(question, from),
    ...listIn(question, from, to),
    ...listFrom(question, to),
  ].slice(0, known.length);
  listed.forEach((at, n) => take(question, params, known[n], at));
  question.tokens.forEach((_, at) => {
    const word = question.word(at);
    const name = Object.hasOwn(paramWords, word) ? paramWords[word] : undefined;
    if (name === undefined || !known.includes(name) || params[name] !== undefined) return;
    const place = [at + 1, at + 2, at - 1].find(
      (each) => question.number(each)?.unit === '' && !spanWords.has(question.word(each + 1)),
    );
    if (place === undefined) return;
    take(question, params, name, place);
    question.take('params', at, at + 1);
  });
  if (Object.keys(params).length > 0) question.slots.params ??= params;
}

/** A number before these is no parameter. */
const spanWords = wordSet('strategy', 'spanWords');

function take(question: Question, params: Record<string, number>, name: string, at: number): void {
  params[name] = question.number(at)?.value ?? 0;
  question.take('params', at, at + 1);
}

const isPlain = (question: Question, at: number): boolean =>
  question.number(at)?.unit === '' && (question.number(at)?.value ?? 1000) <= 500;
const isJoint = (question: Question, at: number): boolean =>
  question.isMark(at, '/') || question.isMark(at, ',') || question.isMark(at, '-');

/** Numbers that end right before a place: "10/30 ". */
function listBefore(question: Question, end: number): number[] {
  const found: number[] = [];
  for (let at = end - 1; at >= 0; at--) {
    if (isPlain(question, at)) found.unshift(at);
    else if (!isJoint(question, at)) break;
  }
  return found;
}

const listIn = (question: Question, from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, n) => from + n).filter((at) => isPlain(question, at));

/** Numbers that follow at once: " 10/30", " 10, 30"; not one that counts something. */
function listFrom(question: Question, start: number): number[] {
  const found: number[] = [];
  for (let at = start; at < question.tokens.length; at++) {
    if (isPlain(question, at)) found.push(at);
    else if (!isJoint(question, at)) break;
  }
  const isCounted = found.length > 0 && spanWords.has(question.word(found.at(-1)! + 1));
  return isCounted ? [] : found;
}
