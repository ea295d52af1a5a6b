import { wordSet } from '../word-list.js';
import type { Intent } from '../intent.js';
import type { Question } from '../slots/question.js';

const testWords = /^(?:back-?tests?|backtested|backtesting)$/;
const done = wordSet('test-cue', 'done');
/** The tools that trade by a rule: what a question adds to the rule changes nothing there. */
export const ruleTools: ReadonlySet<string> = wordSet('rule-tools', 'ruleTools');
/** The tools that test rules on the past, or tell of such tests. */
export const testTools: ReadonlySet<string> = wordSet('test-cue', 'testTools');

/** Whether a question asks for a backtest in so many words, of an asset. */
export const asksForTest = (question: Question): boolean =>
  question.namesAsset && question.tokens.some((_, at) => testWords.test(question.word(at)));

/** Whether a question says that it is about a test on the past: "backtest", or "would ... have made". */
export function isAboutTest(question: Question): boolean {
  const words = question.tokens.map((_, at) => question.word(at));
  if (words.some((word) => testWords.test(word)) || question.phrase(0, 2) === 'back test') return true;
  const { every, amount, weights, strategy, indicator, period } = question.slots;
  // "Donchian ETH 3M, stop at 2 ATR": an indicator beside a span of the past is a part of the rule.
  const isRule =
    strategy !== undefined && question.namesAsset && (indicator === undefined || period !== undefined);
  if (isRule && strategy !== 'buy_and_hold') return true;
  if (every !== undefined || amount !== undefined || weights !== undefined) return false;
  if (isRule) return true;
  const would = words.findIndex((word) => word === 'would' || word === 'wouldve');
  const isHypothetical = would !== -1 && words.includes('have') && words.some((word) => done.has(word));
  return isHypothetical || isAboutRule(question);
}

/** "Does the ross hook strategy work on BTC": a strategy is asked about on an asset. */
export const isAboutRule = (question: Question): boolean =>
  question.namesAsset && question.tokens.some((_, at) => ['strategy', 'bot'].includes(question.word(at)));

/** A factor on the score of an intent: a question about a test is for the tools that test. */
export const testFit = ({ tool, needs }: Intent, question: Question, isTest: boolean): number => {
  if (!isTest) return 1;
  if (tool === null || !testTools.has(tool)) return tool === 'simulate_recurring_buy' ? 0.8 : 0.4;
  // With an asset it is to be tested, not listed.
  return question.namesAsset && !('asset' in needs) && tool !== 'get_strategy_leaderboard' ? 0.7 : 1.15;
};
