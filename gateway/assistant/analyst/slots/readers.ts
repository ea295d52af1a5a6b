import { hearSubjects } from '../heard/not-here.js';
import { pastedSignal } from '../text/pasted-object.js';
import type { Token } from '../text/token.js';
import { readAssets, readBareAsset } from './assets.js';
import { readChanges } from './changes.js';
import { readChannel } from './channel.js';
import { readChoices } from './choices.js';
import { foundConditions, readConditions, readStateCondition } from './conditions.js';
import { readCount } from './count.js';
import { readDate } from './date.js';
import { readEvery } from './every.js';
import { readIds } from './ids.js';
import { readIndicator } from './indicator.js';
import { readInterval } from './interval.js';
import { readLadder } from './ladder.js';
import { readPrices } from './prices.js';
import { Question } from './question.js';
import type { ReadingContext } from './reading-context.js';
import { readPatterns } from './slot-patterns.js';
import { readStrategy } from './strategy.js';
import { readTerm } from './term.js';
import { readWeights } from './weights.js';
import { readWindow } from './window.js';

/** Reads one slot, or a few that belong together, and takes the tokens they stand in. */
type SlotReader = (question: Question, context: ReadingContext, text: string) => void;

/** A signal that was pasted as a JSON object, `{"coin": "ETH", "type": "long"}`, or whose fields are listed from "coin" on. */
function readPastedSignal(question: Question, _: ReadingContext, text: string): void {
  const at = question.tokens.findIndex(
    ({ kind, text: word }) => kind === 'object' || (word === 'coin' && listed.test(text)),
  );
  const isObject = question.tokens[at]?.kind === 'object';
  const signal = at === -1 ? null : pastedSignal(isObject ? question.tokens[at].raw : text);
  if (signal === null) return;
  question.slots.signal = signal;
  question.take('signal', at, isObject ? at + 1 : question.tokens.length);
}
const listed = /\b(?:entry_price|exit_price|stop_loss|trade_market)/;

/** The readers in their order: those with the most exact form take their tokens first. */
const readers: readonly SlotReader[] = [
  readIds,
  readPastedSignal,
  hearSubjects,
  readPatterns('first'),
  readAssets,
  (question, _, text) => readChannel(question, text),
  readConditions,
  readStrategy,
  readTerm,
  readIndicator,
  readWeights,
  readChanges,
  readDate,
  readLadder,
  readPatterns('numbers'),
  readEvery,
  readInterval,
  readWindow,
  readChoices,
  readCount,
  readPrices,
  readPatterns('last'),
  readStateCondition,
  readBareAsset,
];

/** The question that the tokens make, with all slots that it names. */
export function readQuestion(tokens: readonly Token[], context: ReadingContext, text: string): Question {
  const question = new Question(tokens);
  for (const read of readers) read(question, context, text);
  return question;
}

/** The rules that the tokens describe, read before a strategy of the same name can take their words. */
export function readRulesQuestion(tokens: readonly Token[], context: ReadingContext) {
  const question = new Question(tokens);
  readAssets(question, context);
  const conditions = foundConditions(question);
  readDate(question, context);
  readInterval(question);
  readWindow(question, context);
  return { question, conditions };
}
