import { wordSet } from '../word-list.js';
import type { Question } from './question.js';

/** Words that make a number the least that counts. */
const comparatives = wordSet('thresholds', 'comparatives');
/** Words for units of a standard deviation, as one word or two. */
const sigmas = new Set('sigma sigmas sd sds stdev stdevs std σ'.split(' '));
const deviations = new Set(['deviation', 'deviations', 'dev', 'devs']);
/** What is counted in a least number: "at least 50 trades". */
const counted = new Set('trades trade signals signal calls'.split(' '));
const moneyWords = new Set('dollar dollars bucks usd usdt usdc'.split(' '));
/** A question with one of these and a volume asks for movers that are liquid, not for a screener. */
const moverWords = wordSet('thresholds', 'moverWords');
const volumeWords = wordSet('thresholds', 'volumeWords');
const balanceWords = wordSet('thresholds', 'balanceWords');
/** What leaves small balances out: "hide dust below 20". */
const limits = wordSet('thresholds', 'limits');
/** A threshold stands at most so many tokens from what it is said of. */
const reach = 5;

/**
 * Reads the least that something must have: "z of at least 4", "beyond 3.5 sigma", "with 50 trades or more", "more than 10m
 * volume", "balances above $10".
 */
export function readThresholds(question: Question): void {
  const has = (words: ReadonlySet<string>) => question.tokens.some((_, at) => words.has(question.word(at)));
  const ofMovers = has(moverWords) && has(volumeWords);
  const ofBalances = has(balanceWords);
  question.tokens.forEach(({ unit = '', value = 0 }, at) => {
    if (question.number(at) === undefined || value <= 0) return;
    if (unit === '' && readDeviations(question, at)) return;
    if (unit === '' && readCounted(question, at)) return;
    if (!['', '$', 'm'].includes(unit)) return;
    if (ofMovers && isNear(question, at, volumeWords) && isLeast(question, at)) takeAmount(question, at);
    else if (ofBalances && isOfBalance(question, at)) takeAmount(question, at);
  });
}

/** "4 sigma", "3.5 standard deviations", "z above 4", "a z-score of 5". */
function readDeviations(question: Question, at: number): boolean {
  const after = question.isMark(at + 1, '-') ? at + 2 : at + 1;
  const isSigma = sigmas.has(question.word(after));
  const isDeviation =
    ['standard', 'std'].includes(question.word(after)) && deviations.has(question.word(after + 1));
  const z = zBefore(question, at);
  if (!isSigma && !isDeviation && z === null) return false;
  question.slots.minZ ??= question.tokens[at].value!;
  question.take('minZ', z ?? at, isDeviation ? after + 2 : isSigma ? after + 1 : at + 1);
  return true;
}

/** The place of "z" or "z-score" before a number, with no other number between them. */
function zBefore(question: Question, at: number): number | null {
  for (let place = at - 1; place >= Math.max(0, at - reach); place--) {
    if (question.tokens[place].kind === 'number') return null;
    const word = question.word(place);
    if (word === 'z' || word === 'zscore' || word === 'zscores') return place;
  }
  return null;
}

/** "At least 50 trades", "30 signals or more", "minimum trades 20". */
function readCounted(question: Question, at: number): boolean {
  const { value = 0 } = question.tokens[at];
  const noun = question.word(at + 1) === 'or' ? at + 3 : at + 1;
  const isBehind = counted.has(question.word(noun)) || counted.has(question.word(at + 2));
  const isBefore = [1, 2, 3].some(
    (back) => counted.has(question.word(at - back)) && isMinimum(question, at - back - 1),
  );
  const isMore = ['more', 'plus', 'up'].includes(question.word(at + 3)) || question.word(at + 2) === 'more';
  if (!Number.isInteger(value) || !((isBehind && (isLeast(question, at) || isMore)) || isBefore))
    return false;
  question.slots.leastCount ??= value;
  question.take('leastCount', at, at + 1);
  return true;
}

const isMinimum = (question: Question, at: number): boolean => ['min', 'minimum'].includes(question.word(at));

/** Whether the words right before a number make it the least: "more than 10", "at least 10", "minimum of 10". */
const isLeast = (question: Question, at: number): boolean =>
  [1, 2].some(
    (back) =>
      comparatives.has(question.word(at - back)) && !['from', 'past'].includes(question.word(at - back)),
  ) ||
  question.isMark(at - 1, '>') ||
  question.isMark(at - 1, '>=');

const isNear = (question: Question, at: number, words: ReadonlySet<string>): boolean =>
  Array.from({ length: 2 * reach + 1 }, (_, n) => at - reach + n).some((place) =>
    words.has(question.word(place)),
  );

/** "Balances above 10 dollars", "hide anything under $5"; not the balance of an account in a plan. */
const isOfBalance = (question: Question, at: number): boolean => {
  const { unit = '' } = question.tokens[at];
  const isMoney = unit === '$' || moneyWords.has(question.word(at + 1)) || isNear(question, at, dust);
  return (
    [1, 2].some((back) => limits.has(question.word(at - back))) &&
    (isMoney || isNear(question, at, balanceNouns)) &&
    !question.tokens.some((_, place) => plans.has(question.word(place)))
  );
};
const dust = new Set(['dust', 'small', 'tiny']);
const balanceNouns = new Set(['balance', 'balances']);
const plans = wordSet('thresholds', 'plans');

function takeAmount(question: Question, at: number): void {
  const { value = 0, unit } = question.tokens[at];
  question.slots.leastAmount ??= unit === 'm' ? value * 1e6 : value;
  question.take('leastAmount', at, moneyWords.has(question.word(at + 1)) ? at + 2 : at + 1);
}

/** The words that this reader looks for, for the vocabulary. */
export const thresholdWords: readonly string[] = [
  ...sigmas,
  ...deviations,
  'zscore',
  'zscores',
  ...dust,
].filter((word) => word !== 'σ');
