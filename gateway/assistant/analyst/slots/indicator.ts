import { wordSet } from '../word-list.js';
import { indicators } from '../../../../compute/indicators/index.js';
import { indicatorAt } from './indicator-words.js';
import type { Question } from './question.js';

const longestPeriod = 500;
const spanWords = wordSet('indicator', 'spanWords');

/** As many as the tool takes. */
const mostIndicators = 8;
/** Parameters stand at most so many tokens from the name. */
const reach = 20;

/**
 * Reads indicators and their parameters: "RSI 14", "the 50 and 200-day average", "ema 20, 50 and 200", "macd 8 21 5". A plain
 * "average" counts with a period alone.
 */
export function readIndicator(question: Question): void {
  const named: string[] = [];
  for (let at = 0; at < question.tokens.length; at++) {
    const found = question.isFree(at)
      ? indicatorAt((place) => (question.isFree(place) ? question.word(place) : ''), at)
      : null;
    if (found === null) continue;
    const before = isCandleLength(question, at) ? null : periodsBefore(question, at);
    const after = before === null ? numbersFrom(question, found) : null;
    const isVague = question.phrase(at, found.end - at) === 'average';
    if (isVague && before === null) continue;
    const numbers = before?.values ?? after?.values ?? [];
    question.slots.indicator ??= found.name;
    if (numbers.length > 0 && named.length === 0) question.slots.indicatorPeriod ??= numbers[0];
    const sets = paramCount(found.name) > 1 ? [numbers] : numbers.map((each) => [each]);
    named.push(...(sets.length === 0 ? [[]] : sets).map((set) => [found.name, ...set].join('_')));
    question.take('indicator', before?.from ?? at, after?.end ?? found.end);
    at = (after?.end ?? found.end) - 1;
  }
  readLength(question, named);
  const isPlain = named.length < 2 && paramCount(question.slots.indicator ?? '') < 2;
  if (!isPlain) question.slots.indicators = [...new Set(named)].slice(0, mostIndicators);
}

/** "3d RSI": candles of three days, which some exchanges have; an oscillator over two or three candles is not in use. */
const isCandleLength = (question: Question, at: number): boolean =>
  /^[23]d$/i.test(question.tokens[at - 1]?.raw ?? '') && !question.word(at).endsWith('a');

/** "A donchian channel of ADA with length 55": a period away from the indicator, where none stands beside it. */
function readLength(question: Question, named: string[]): void {
  const { indicator, indicatorPeriod } = question.slots;
  if (
    indicator === undefined ||
    indicatorPeriod !== undefined ||
    named.length !== 1 ||
    named[0] !== indicator
  )
    return;
  const at = question.tokens.findIndex((_, place) => {
    const isLed = ['length', 'period', 'setting'].includes(question.word(place - 1));
    const isCounted = ['period', 'periods'].includes(question.word(place + 1));
    return (
      (isLed || isCounted) && question.number(place)?.unit === '' && isWhole(question.tokens[place].value)
    );
  });
  if (at === -1) return;
  const { value = 0 } = question.tokens[at];
  question.slots.indicatorPeriod = value;
  named[0] = `${indicator}_${value}`;
  question.take('indicator', at, at + 1);
}

const paramCount = (name: string): number =>
  Object.keys(indicators.find((each) => each.name === name)?.params ?? {}).length;

interface Periods {
  values: number[];
  from: number;
}

/** The periods before an indicator: "200-day", "the 50 and the 200 day". */
function periodsBefore(question: Question, at: number): Periods | null {
  const last = periodBefore(question, at);
  if (last === null || counters.has(question.word(last.from - 1))) return null;
  const values = [last.period];
  let { from } = last;
  for (let place = from - 1; place >= Math.max(0, at - reach); place--) {
    const number = question.number(place);
    if (number && isWhole(number.value) && spanUnits.has(number.unit ?? '')) {
      values.unshift(number.value!);
      from = place;
    } else if (!isJoint(question, place) && !spanWords.has(question.word(place))) break;
  }
  return { values, from };
}

/** "The last 5 RSI values" counts them. */
const counters = new Set('last past previous recent latest first top'.split(' '));
const spanUnits = new Set(['', 'day']);
const joints = new Set(['and', 'the', 'or', 'vs', 'versus', 'plus']);
const isJoint = (question: Question, at: number): boolean =>
  joints.has(question.word(at)) || ['/', ',', '-'].some((mark) => question.isMark(at, mark));

/** The numbers behind an indicator: its parameters in their order, or its periods. */
function numbersFrom(
  question: Question,
  { name, end: start }: { name: string; end: number },
): { values: number[]; end: number } | null {
  const values: number[] = [];
  const most = paramCount(name) > 1 ? paramCount(name) : mostIndicators;
  let end = start;
  for (let place = start; place < start + reach && values.length < most; place++) {
    const number = question.number(place);
    if (number === undefined && isLink(question, place)) continue;
    if (number?.unit !== '' || !isParameter(question, place, most > 1 && values.length > 0)) break;
    values.push(number.value!);
    end = place + 1;
  }
  return values.length === 0 ? null : { values, end };
}

const isLink = (question: Question, at: number): boolean =>
  isJoint(question, at) ||
  ['period', 'length', 'with', 'of', 'params', 'parameters'].includes(question.word(at));

/** Whether a number behind an indicator is its parameter: not "14 days", and not the period of the next one, "RSI and 50 EMA". */
function isParameter(question: Question, at: number, isFurther: boolean): boolean {
  const { value = 0 } = question.tokens[at];
  const isOfNext = indicatorAt((place) => question.word(place), at + 1) !== null;
  const isSize = isFurther ? value > 0 && value <= longestPeriod : isWhole(value);
  return (
    isSize && !isOfNext && !spanWords.has(question.word(at + 1)) && !timeWords.has(question.word(at + 1))
  );
}

const timeWords = wordSet('indicator', 'timeWords');

/** A number directly before the indicator, with "day" between them or without. */
export function periodBefore(question: Question, at: number): { period: number; from: number } | null {
  for (const back of [1, 2, 3]) {
    const number = question.number(at - back);
    const isPlain = number !== undefined && (number.unit === '' || number.unit === 'day');
    if (isPlain && isWhole(number.value)) return { period: number.value!, from: at - back };
    if (!spanWords.has(question.word(at - back)) && !question.isMark(at - back, '-')) return null;
  }
  return null;
}

const isWhole = (value: number | undefined): boolean =>
  value !== undefined && Number.isInteger(value) && value > 1 && value <= longestPeriod;
