import { wordSet } from '../word-list.js';
import { countedThings } from './count.js';
import type { Question } from './question.js';

const owners = wordSet('ids', 'owners');

const notIds = new Set(['usdt', 'usd', 'candles', 'more']);

/** Reads an id that was given: 24 or more hexadecimal digits, 32 digits of base 32 as orders have, a UUID, "order-3", "order 123". */
export function readIds(question: Question): void {
  question.tokens.forEach(({ kind, text, raw, value, unit }, at) => {
    const isNumbered =
      kind === 'number' &&
      unit === '' &&
      Number.isInteger(value) &&
      /^\d+$/.test(raw) &&
      owners.has(question.word(at - 1)) &&
      !notIds.has(question.word(at + 1)) &&
      !countedThings.has(question.word(at + 1));
    if (kind !== 'id' && !isNumbered) return;
    question.slots.id ??= kind === 'id' ? text : String(value);
    const isBacktest = text.length === 64 || ['backtest', 'run'].includes(question.word(at - 1));
    if (isBacktest) question.slots.backtestId ??= question.slots.id;
    question.take('id', at, at + 1);
  });
}
