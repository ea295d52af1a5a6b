import { fieldError } from '../model/errors.js';
import type { AppError } from '../model/errors.js';
import type { ResearchInterval } from '../model/interval.js';
import { fillParams, type RuleParams } from './rule-params.js';

/** The range of a number of a strategy, and how a fault says it. */
export interface RuleRange {
  least: number;
  /** Whether `least` itself is refused. */
  isAbove?: true;
  most?: number;
  /** Whether `most` itself is refused. */
  isBelow?: true;
  isWhole?: true;
}

/** Reads texts and numbers of a strategy with its parameters filled in. */
export class RuleReader {
  /** The interval of the candles; null: any. */
  readonly interval: ResearchInterval | null;
  readonly #params: RuleParams;
  readonly #values: Readonly<Record<string, number>>;
  readonly #paramsFault: AppError | undefined;

  /** `paramsFault`: why the parameters can't be used; thrown where one is. */
  constructor(
    interval: ResearchInterval | null,
    params: RuleParams,
    values: Readonly<Record<string, number>>,
    paramsFault: AppError | undefined,
  ) {
    this.interval = interval;
    this.#params = params;
    this.#values = values;
    this.#paramsFault = paramsFault;
  }

  /** A side of a comparison as text. */
  operand(value: unknown, at: string, mayBeNumber: boolean): string {
    if (typeof value === 'string') return this.#fill(value, at);
    if (mayBeNumber && typeof value === 'number' && Number.isFinite(value)) return String(value);
    const expected = mayBeNumber ? 'a number, a column or a trend state' : 'a column such as rsi_14';
    throw fieldError(at, `expected ${expected}, found ${JSON.stringify(value)}`);
  }

  /** A number, or the parameter that stands in place of one. */
  number(value: unknown, name: string, at: string, range: RuleRange): number {
    const isName = typeof value === 'string' && /^\{[^{}]*\}$/.test(value);
    const number = isName ? Number(this.#fill(value, at)) : value;
    if (typeof number === 'number' && isWithin(number, range)) return number;
    throw fieldError(at, `"${name}" must be ${rangeText(range)}, found ${JSON.stringify(number)}`);
  }

  #fill(text: string, at: string): string {
    if (this.#paramsFault && text.includes('{')) throw this.#paramsFault;
    return fillParams(text, this.#params, this.#values, at);
  }
}

const isWithin = (value: number, { least, isAbove, most = Number.MAX_VALUE, isBelow, isWhole }: RuleRange) =>
  (isAbove ? value > least : value >= least) &&
  (isBelow ? value < most : value <= most) &&
  (!isWhole || Number.isInteger(value));

function rangeText({ least, isAbove, most, isBelow, isWhole }: RuleRange): string {
  if (isWhole) return `a whole number from ${least} to ${most}`;
  const from = isAbove ? `above ${least}` : `at least ${least}`;
  if (most === undefined) return from;
  return `${from} and ${isBelow ? 'below' : 'at most'} ${most}`;
}
