import { wordSet } from '../word-list.js';
import { dataFile } from '../data-file.js';
import type { Question } from '../slots/question.js';
import { commonWords } from '../vocabulary/common-words.js';
import { ruleTools } from './rule-tools.js';
import type { ReadQuestion } from './read-question.js';
import type { SlotName } from '../slots.js';
import { usedSlots } from '../recognition/slot-fit.js';

interface Words {
  /** Words around a test that name no rule. */
  aroundTests: string;
  /** Of these the words that are no part of a name even beside one. */
  functionWords: string;
  /** Words for parts of a rule that strategies here don't have. */
  ofRules: string;
  /** Words for stops, targets, sizes and borrowed money. */
  ofStops: string;
  /** Lengths of time. */
  ofTime: string;
  /** Parts of the week. */
  ofWeeks: string;
}

const words = dataFile<Words>('rule-words');
const aroundTests = new Set(words.aroundTests.split(' '));
const functionWords = new Set(words.functionWords.split(' '));
const ofRules = new Set(words.ofRules.split(' '));

/** Slots that are read beside a rule, and are no words of it. */
const general = wordSet('left-words', 'general');

/** The words of a question that neither name something known nor stand around a test, next to each other as one. */
function stretches(question: Question, isLeft: (at: number) => boolean): string[] {
  const found: string[] = [];
  let from: number | undefined;
  for (let at = 0; at <= question.tokens.length; at++) {
    const isIn = at < question.tokens.length && isLeft(at);
    if (isIn) from ??= at;
    else if (from !== undefined) {
      const isJoint = question.tokens[at]?.text === '-' || question.tokens[at]?.text === '=';
      if (isJoint && isLeft(at + 1)) continue;
      found.push(question.written(from, at));
      from = undefined;
    }
  }
  return found;
}

/** Whether a token was given to a slot that the rule of a test has nothing to do with: an indicator, a stop, a condition. */
function isForeign(question: Question, at: number): boolean {
  const slot = question.slotAt(at);
  if (slot === 'indicator' && question.slots.indicator === undefined) return false;
  return slot !== undefined && !general.has(slot);
}

/** Slots whose value changes what is asked: one that the intent does not use is named. */
const telling = wordSet('left-words', 'telling');

function isResidue(
  question: Question,
  at: number,
  used: ReadonlySet<string>,
  isKnown: (word: string) => boolean,
): boolean {
  const { kind, unit = '', raw } = question.tokens[at];
  const slot = question.slotAt(at);
  if (slot !== undefined) return telling.has(slot) && !used.has(slot);
  if (kind === 'number') return unit !== '' || /[a-z]$/i.test(raw);
  const word = question.word(at);
  if (kind !== 'word' || functionWords.has(word)) return false;
  // What stands for a length of time, a stop or a size, where nothing of the kind is read.
  if (ofTime.has(word)) return true;
  if (ofWeeks.has(word)) return !used.has('by');
  if (ofStops.has(word)) return !['stop', 'entry', 'leverage', 'account'].some((each) => used.has(each));
  return word.length > longestGrunt && !aroundTests.has(word) && !isKnown(word);
}

/** "Yo", "lol": what is shorter and unknown says nothing. */
const longestGrunt = 3;
const ofStops = new Set(words.ofStops.split(' '));
const ofTime = new Set(words.ofTime.split(' '));
const ofWeeks = new Set(words.ofWeeks.split(' '));

/** The name of a strategy that is asked for and not known here; undefined where one is known, or none is named. */
export function unknownStrategy({ question, intent }: ReadQuestion): string | undefined {
  if (!ruleTools.has(intent.tool!)) return undefined;
  const left = stretches(question, (at) => isNameOfRule(question, at));
  if (left.length === 0) return undefined;
  const known = question.slots.strategies ?? [];
  if (known.length === 0) return wholeName(question);
  return undefined;
}

/** From the first to the last word that may belong to the name, with the words beside it: "three bar play". */
function wholeName(question: Question): string {
  const places = [...question.tokens.keys()].filter((at) => isNameOfRule(question, at));
  const isBeside = (at: number) =>
    (question.isFree(at) || besides.has(question.slotAt(at) ?? '')) &&
    question.tokens[at].kind !== 'mark' &&
    !functionWords.has(question.word(at));
  let [from, to] = [places[0], places.at(-1)! + 1];
  while (isBeside(from - 1)) from--;
  while (to < question.tokens.length && isBeside(to)) to++;
  return question.written(from, Math.min(to, from + longestName));
}

/** Slots that a name of a rule may hold: "buying every Monday", "hodl till 2x". */
const besides = wordSet('left-words', 'besides');
const longestName = 12;
/** Numbers that are read for other intents: "max 3 trades a day". */
const ofCounts = wordSet('left-words', 'ofCounts');

const isPartOfRule = (text: string): boolean => text.split(' ').some((word) => ofRules.has(word));

/** Whether a token may belong to the name of a rule: any word that does not stand around tests. */
function isNameOfRule(question: Question, at: number): boolean {
  const { kind } = question.tokens[at];
  if (isForeign(question, at)) return kind !== 'mark';
  if (!question.isFree(at)) return false;
  if (kind === 'number') return question.tokens[at].unit !== '' || question.tokens[at].value! > 0;
  return kind === 'word' && !aroundTests.has(question.word(at));
}

/**
 * What is left of a question after all readers. Of a rule: its parts, unknown words, numbers with units. Elsewhere: numbers with units,
 * values of slots that the intent does not use, and words that no phrase and no dictionary has.
 */
export function leftWords(
  { question, intent, args }: ReadQuestion,
  isKnown: (word: string) => boolean,
): string[] {
  if (!ruleTools.has(intent.tool!)) {
    const used = usedSlots(intent);
    const said = new Set((JSON.stringify(args).match(/\d+(?:\.\d+)?/g) ?? []).map(Number));
    const isSaid = (at: number) => said.has(question.tokens[at].value ?? NaN);
    return stretches(question, (at) => !isSaid(at) && isResidue(question, at, used, isKnown));
  }
  const known = question.slots.strategies ?? [];
  if (known.length === 0) return [];
  const used = usedSlots(intent);
  const isUnused = (at: number) => {
    const slot = question.slotAt(at);
    return slot !== undefined && ofCounts.has(slot) && !used.has(slot as SlotName);
  };
  return stretches(question, (at) => isUnused(at) || isNameOfRule(question, at)).filter(
    (each) =>
      isPartOfRule(each.toLowerCase()) ||
      /\d/.test(each) ||
      each.split(' ').some((word) => !commonWords.has(word.toLowerCase())),
  );
}
