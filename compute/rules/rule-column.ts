import { fieldError } from '../model/errors.js';
import { intervalMs, researchIntervals, type ResearchInterval } from '../model/interval.js';
import { parseScreenField, type ScreenField } from './screen-field.js';

/** The most candles that `[n]` goes back. */
const mostBack = 500;

/** A column of a condition: `sma_20`, `rsi_14[3]`, `close@1d`, `ema_50@4h[1]`, `volume_sma_20 * 2.5`. */
export interface RuleColumn {
  /** The column in its shortest spelling. */
  name: string;
  field: ScreenField;
  /** The longer interval that it is computed on; null: that of the candles. */
  interval: ResearchInterval | null;
  /** Candles back, on its own interval. */
  back: number;
  factor: number;
}

/**
 * Where a column stands: in a condition of the screener or an alert, which have one interval, or in a strategy for candles
 * of an interval; null: of any.
 */
export type ColumnPlace = 'screen' | { interval: ResearchInterval | null };

/** The parts of the text of a column; blanks around `*` and letter case don't matter. */
const shape = /^([^@[*]*?)(?:@([a-z0-9]*))?(?:\[([^\]]*)\])?(?:\s*\*\s*(.*))?$/;

const numberPattern = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/;

/** The number that a text in lower case means; undefined where it is none. Throws `invalid_input` for an infinite one. */
export function numberIn(text: string, at: string): number | undefined {
  if (!numberPattern.test(text)) return undefined;
  const value = Number(text);
  if (!Number.isFinite(value)) throw fieldError(at, `"${text}" is too large a number`);
  return value;
}

/** Parses a column. Throws `invalid_input` with `field`, its path. */
export function parseColumn(text: string, at: string, place: ColumnPlace): RuleColumn {
  const whole = text.trim().toLowerCase();
  const [, name, longer, back, factor] = (shape.exec(whole) ?? [whole, whole]) as (string | undefined)[];
  const field = parseScreenField(name ?? whole, at);
  const column = {
    field,
    interval: longer === undefined ? null : parseLonger(longer, at, place),
    back: back === undefined ? 0 : parseBack(back, whole, at),
    factor: factor === undefined ? 1 : parseFactor(factor, at),
  };
  if (field.kind === 'state' && factor !== undefined)
    throw fieldError(at, '"state" can\'t be multiplied: it is no number');
  return { ...column, name: spell(name ?? whole, longer, column.back, column.factor) };
}

/** The shortest spelling of a column in a text that may hold parameters in braces. */
export function shortestColumn(text: string): string {
  const whole = text
    .trim()
    .replace(/\{[^{}]*\}|[^{}]+/g, (part) => (part.startsWith('{') ? part : part.toLowerCase()));
  const [, name, longer, back, factor] = (shape.exec(whole) ?? [whole, whole]) as (string | undefined)[];
  const shortest = (part: string | undefined) => (part && numberPattern.test(part) ? Number(part) : part);
  return spell(name ?? whole, longer, shortest(back) ?? 0, shortest(factor) ?? 1);
}

const spell = (
  name: string,
  longer: string | undefined,
  back: number | string,
  factor: number | string,
): string =>
  name.trim() +
  (longer === undefined ? '' : `@${longer}`) +
  (back === 0 ? '' : `[${back}]`) +
  (factor === 1 ? '' : ` * ${factor}`);

function parseLonger(longer: string, at: string, place: ColumnPlace): ResearchInterval {
  if (place === 'screen') throw fieldError(at, `"@${longer}" can only stand in a strategy`);
  const interval = researchIntervals.find((each) => each === longer);
  if (!interval) {
    const known = researchIntervals.slice(1).map((each) => `@${each}`);
    throw fieldError(at, `"@${longer}" must be one of ${known.join(', ')}`);
  }
  if (place.interval !== null && intervalMs(interval) <= intervalMs(place.interval))
    throw fieldError(at, `"@${longer}" must be longer than the interval ${place.interval}`);
  return interval;
}

function parseBack(back: string, whole: string, at: string): number {
  const column = whole.slice(0, whole.indexOf(']') + 1);
  if (!/^\d+$/.test(back))
    throw fieldError(at, `"${back}" in "${column}" must be a whole number from 0 to ${mostBack}`);
  if (Number(back) > mostBack) throw fieldError(at, `"${column}" goes back more than ${mostBack} candles`);
  return Number(back);
}

function parseFactor(factor: string, at: string): number {
  const value = numberIn(factor, at);
  if (value === undefined) throw fieldError(at, `expected a number after "*", found "${factor}"`);
  return value;
}
