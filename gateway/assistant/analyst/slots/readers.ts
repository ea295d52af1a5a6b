import { hearSubjects } from '../heard/not-here.js';
import { pastedObject } from '../text/pasted-object.js';
import type { Token } from '../text/token.js';
import { wordSet } from '../word-list.js';
import { readAssets } from './assets.js';
import { readChanges } from './changes.js';
import { readChannel } from './channel.js';
import { readChoices } from './choices.js';
import { foundConditions, readConditions, readStateCondition } from './conditions.js';
import { readCosts } from './costs.js';
import { readCount } from './count.js';
import { readDate } from './date.js';
import { readEvery } from './every.js';
import { readExchange } from './exchange.js';
import { readIds } from './ids.js';
import { readIndicator } from './indicator.js';
import { readInterval } from './interval.js';
import { readLadder } from './ladder.js';
import { readLeverage } from './leverage.js';
import { readNumberedSettings } from './numbered-settings.js';
import { readPeriod } from './period.js';
import { readPrices } from './prices.js';
import { Question } from './question.js';
import type { ReadingContext } from './reading-context.js';
import { readSide } from './side.js';
import { readState } from './state.js';
import { readStrategy } from './strategy.js';
import { readTerm } from './term.js';
import { readThresholds } from './thresholds.js';
import { readWeights } from './weights.js';
import { readWindow } from './window.js';

/** Reads one slot, or a few that belong together, and takes the tokens they stand in. */
type SlotReader = (question: Question, context: ReadingContext, text: string) => void;

/** Fields of a signal; an object with two of them is one. */
const signalFields = wordSet('readers', 'signalFields');
const leastFields = 2;

/** A signal that was pasted as a JSON object: `{"coin": "ETH", "type": "long"}`. */
function readPastedSignal(question: Question): void {
  const at = question.tokens.findIndex(
    ({ kind, raw }) =>
      kind === 'object' &&
      Object.keys(pastedObject(raw) ?? {}).filter((name) => signalFields.has(name)).length >= leastFields,
  );
  if (at === -1) return;
  question.slots.signal = pastedObject(question.tokens[at].raw)!;
  question.take('signal', at, at + 1);
}

/** A share in percent: "2 %", "half a percent". */
function readPercent(question: Question): void {
  question.tokens.forEach((_, at) => {
    const number = question.number(at);
    if (number?.unit !== '%') return;
    question.slots.percent ??= number.value!;
    question.take('percent', at, at + 1);
  });
}

/** The readers in their order: those with the most exact form take their tokens first. */
const readers: readonly SlotReader[] = [
  readIds,
  readPastedSignal,
  hearSubjects,
  readThresholds,
  readNumberedSettings,
  readAssets,
  (question, _, text) => readChannel(question, text),
  readCosts,
  readConditions,
  readStrategy,
  readTerm,
  readIndicator,
  readWeights,
  readChanges,
  readDate,
  readPercent,
  readLadder,
  readLeverage,
  readEvery,
  readInterval,
  readPeriod,
  readWindow,
  readChoices,
  readCount,
  readPrices,
  readSide,
  readState,
  readStateCondition,
  readExchange,
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
  return { question, conditions };
}
