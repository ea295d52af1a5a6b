import { wordSet, wordTable } from '../word-list.js';
import type { Token } from './token.js';

const ones: Readonly<Record<string, number>> = wordTable('number-words', 'ones');

/** "one", "a" and "half" are numbers before these alone. */
const counted = wordSet('number-words', 'counted');

const scales: Readonly<Record<string, number>> = wordTable('number-words', 'scales');

/** The tokens with numbers in words as numbers: "ten thousand", "half a percent", "twenty five"; percent signs become units. */
export function joinNumberWords(tokens: readonly Token[]): Token[] {
  const joined: Token[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const read = readNumber(tokens, at);
    if (read === null) {
      joined.push(tokens[at]);
      continue;
    }
    joined.push(read.token);
    at = read.end - 1;
  }
  return joined;
}

function readNumber(tokens: readonly Token[], start: number): { token: Token; end: number } | null {
  let { value, end } = firstValue(tokens, start);
  if (value === null) return null;
  let { unit = '' } = tokens[start];
  ({ value, end } = scaled(tokens, value, end, unit));
  // "Twenty eight thousand four hundred", "two hundred and fifty"
  for (let rest = restOf(tokens, value, end); rest !== null; rest = restOf(tokens, value, end)) {
    value += rest.value;
    ({ end } = rest);
  }
  if (isAndHalf(tokens, end)) {
    value += 0.5;
    end += 3;
  }
  if (['percent', 'pct'].includes(tokens[end]?.text)) {
    unit = '%';
    end++;
  }
  const raw = tokens
    .slice(start, end)
    .map((each) => each.raw)
    .join(' ')
    .replace(' - ', '-');
  const { isJoined = false } = tokens[start];
  return { token: { kind: 'number', text: String(value), raw, value, unit, isJoined }, end };
}

const isAndHalf = (tokens: readonly Token[], at: number): boolean =>
  ['and', 'a', 'half'].every((word, n) => tokens[at + n]?.text === word);

function scaled(tokens: readonly Token[], first: number, from: number, unit: string) {
  let [value, end] = [first, from];
  for (let scale = scaleAt(tokens, end, unit); scale !== undefined; scale = scaleAt(tokens, end, unit)) {
    value *= scale;
    end++;
  }
  return { value, end };
}

/** What goes on behind "thousand" and "hundred": hundreds, tens, or anything behind "and". A share in percent is another number. */
function restOf(tokens: readonly Token[], value: number, at: number): { value: number; end: number } | null {
  const scale = scales[tokens[at - 1]?.text] ?? 0;
  const isLed = tokens[at]?.text === 'and';
  const from = isLed ? at + 1 : at;
  if (scale < 100 || tokens[from]?.kind !== 'word' || !Object.hasOwn(ones, tokens[from].text)) return null;
  const first = firstValue(tokens, from);
  const rest = scaled(tokens, first.value ?? 0, first.end, '');
  const isPart = rest.value > 0 && rest.value < scale && value % scale === 0;
  const isOther = ['percent', 'pct', 'x', 'times'].includes(tokens[rest.end]?.text);
  return isPart && !isOther && (isLed || rest.value * 100 >= scale) ? rest : null;
}

/** "A couple of hours", "the last few days". */
function vagueNumber(tokens: readonly Token[], at: number): { value: number; end: number } | null {
  const start = ['a', 'the'].includes(tokens[at].text) ? at + 1 : at;
  const text = tokens[start]?.text ?? '';
  if (!Object.hasOwn(vague, text)) return null;
  const end = tokens[start + 1]?.text === 'of' ? start + 2 : start + 1;
  return counted.has(tokens[end]?.text ?? '') ? { value: vague[text], end } : null;
}

const vague: Readonly<Record<string, number>> = { couple: 2, few: 3, several: 3 };

const scaleAt = (tokens: readonly Token[], at: number, unit: string): number | undefined =>
  tokens[at]?.kind === 'word' && (unit === '' || unit === '$') && Object.hasOwn(scales, tokens[at].text)
    ? scales[tokens[at].text]
    : undefined;

function firstValue(tokens: readonly Token[], at: number): { value: number | null; end: number } {
  const { kind, text, value } = tokens[at];
  if (kind === 'number') return { value: value ?? null, end: at + 1 };
  if (kind !== 'word') return { value: null, end: at };
  if (Object.hasOwn(ones, text)) {
    // "Thirty-five"
    const behind = tokens[at + 1]?.text === '-' ? at + 2 : at + 1;
    const next = tokens[behind]?.text ?? '';
    const digit = ones[text] >= 20 && Object.hasOwn(ones, next) ? ones[next] : 10;
    return digit < 10 ? { value: ones[text] + digit, end: behind + 1 } : { value: ones[text], end: at + 1 };
  }
  const after = tokens[at + 1]?.text ?? '';
  if (text === 'one' && isAndHalf(tokens, at + 1)) return { value: 1, end: at + 1 };
  const aFew = vagueNumber(tokens, at);
  if (aFew !== null) return aFew;
  const behind = ['a', 'an'].includes(after) ? at + 2 : at + 1;
  if (text === 'half' && counted.has(tokens[behind]?.text ?? '')) return { value: 0.5, end: behind };
  if (
    (text === 'one' || text === 'a' || text === 'an') &&
    counted.has(after) &&
    !(text !== 'one' && after.startsWith('day'))
  )
    return { value: 1, end: at + 1 };
  return { value: null, end: at };
}
