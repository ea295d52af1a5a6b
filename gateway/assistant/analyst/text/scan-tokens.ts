import { wordTable } from '../word-list.js';
import { joinNumberWords } from './number-words.js';
import { keepSignals } from './pasted-object.js';
import { wordToken, type Token } from './token.js';

/** What shortened and chat words stand for, without their apostrophes. */
const contractions: Readonly<Record<string, string>> = wordTable('contractions', 'contractions');

/** The longest text that is read, in UTF-16 units: 2,000 code points. */
const longestText = 4_000;
const mostTokens = 700;

const digits = 'zero one two three four five six seven eight nine'.split(' ');
/** "Point five two" is 0.52. */
const spokenDecimal = new RegExp(
  `(?<!\\b(?:${digits.join('|')}|\\d+) )\\b(?:zero )?point((?: (?:${digits.join('|')}))+)\\b`,
  'gi',
);
const digitOf = (word: string): number => digits.indexOf(word.toLowerCase());

/** One piece of a text. The groups are its kinds; the first that matches counts. */
const piece =
  /(?<object>\{[^{}]*:[^{}]*(?:\{[^{}]*\}[^{}]*)*\})|(?<id>\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|\b[0-9a-f]{24,64}\b|\b[a-z2-7]{32}\b|\b(?:order|sig|signal|bt|backtest|conv)[-_#][a-z0-9]*\d[a-z0-9-]*\b)|(?<email>[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+(?:['’]s)?)|(?<slot>\{[a-zA-Z]+\})|(?<number>[$€£]?(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?|[$€£]?\.\d+)(?<unit>%|[a-zA-Z]+)?|(?<cash>\$[\p{L}][\p{L}\d]{0,14})|(?<word>[\p{L}\p{M}][\p{L}\p{M}\d]*(?:['’`][\p{L}]+)*)|(?<mark><=|>=|[?!;:,./<>=+&%\n-]|[—–…]|\p{Extended_Pictographic})|(?<space>[^\S\n]+|[()[\]"“”])|./gsu;

/** Letters beside a number that make it larger. */
const multipliers: Readonly<Record<string, number>> = wordTable('scan-tokens', 'multipliers');

/** Letters beside a number that name its unit, as the readers of slots know it. */
const units: Readonly<Record<string, string>> = wordTable('scan-tokens', 'units');

/**
 * The pieces of a text, bounded in number: words without contractions, numbers with their units, marks. Compatibility forms
 * of Unicode count as their plain letters. `{slot}` is read as a slot in phrases of the grammar alone.
 */
export function scanTokens(text: string, { withSlots = false } = {}): Token[] {
  const full = text
    .slice(0, longestText)
    .replace(/\bw\/o\b/gi, 'without ')
    .replace(/\bw\//gi, 'with ')
    .replace(/\bper cent\b/gi, 'percent')
    .replace(/\bi\.e\./gi, ',')
    // "1) state 2) RSI", "TP1 1210 TP2 1255": numbers of a list.
    .replace(/(?<=^|[\s:;,.])(?<!\([^()]{0,40})\(?[1-9]\)\s/g, '. ')
    .replace(/(?<=^|[.!?:\n]\s*)(?:one|two|three|four|five),\s/gi, '. ')
    // "x20", "x1.5"
    .replace(/(?<![\w.])x(\d+(?:\.\d+)?)(?![\w.]*\w)/gi, '$1x')
    // "maxDrawdown"
    .replace(/\b([a-z]{3,})(?=[A-Z][a-z]{2})/g, '$1 ')
    .replace(spokenDecimal, (_, said: string) => `0.${said.trim().split(/\s+/).map(digitOf).join('')}`)
    .replace(/\b(tp|target)[ -]?[1-9](?=[\s:@=]+\$?\d)/gi, '$1')
    .replace(/ dot (?=(?:com|fun|io|org|xyz)\b)/gi, '.');
  const plain = keepSignals(full.normalize('NFKC').slice(0, longestText));
  const tokens: Token[] = [];
  let isJoined = false;
  for (const { groups = {}, index, 0: raw } of plain.matchAll(piece)) {
    if (tokens.length >= mostTokens) break;
    const isApart = groups.space !== undefined;
    if (!isApart) {
      const next = tokensOf(groups, raw, plain[index + raw.length] ?? ' ', withSlots, tokens.at(-1));
      if (next.length > 0) tokens.push({ ...next[0], isJoined }, ...next.slice(1));
    }
    isJoined = !isApart;
  }
  return joinNumberWords(tokens);
}

function tokensOf(
  groups: Readonly<Record<string, string | undefined>>,
  raw: string,
  after: string,
  withSlots: boolean,
  before: Token | undefined,
): Token[] {
  const { object, id, email, slot, number, unit = '', cash, word, mark } = groups;
  if (object !== undefined) return [{ kind: 'object', text: '', raw }];
  // An address stands for the person that has it.
  if (email !== undefined) return [wordToken('someone', raw)];
  if (id !== undefined) return [{ kind: 'id', text: id, raw }];
  if (slot !== undefined)
    return withSlots
      ? [{ kind: 'slot', text: slot.slice(1, -1), raw }]
      : [wordToken(slot.slice(1, -1).toLowerCase(), raw)];
  if (number !== undefined) return numberTokens(number, unit, raw);
  if (cash !== undefined)
    return [{ ...wordToken(cash.slice(1).toLowerCase(), raw.slice(1)), isCashtag: true }];
  if (word !== undefined) return wordTokens(word);
  if (mark !== undefined) return markTokens(mark, after, before);
  return [];
}

function numberTokens(digits: string, letters: string, raw: string): Token[] {
  const isMoney = /^[$€£]/.test(digits);
  const value = Number(digits.replace(/[$€£,]/g, ''));
  const suffix = letters.toLowerCase();
  const times = Object.hasOwn(multipliers, suffix) ? multipliers[suffix] : undefined;
  if (times !== undefined) return [numberToken(value * times, isMoney ? '$' : '', raw)];
  if (suffix === 'm' && isMoney) return [numberToken(value * 1e6, '$', raw)];
  if (suffix === '') return [numberToken(value, isMoney ? '$' : '', raw)];
  const unit = Object.hasOwn(units, suffix) ? units[suffix] : undefined;
  if (unit !== undefined) return [numberToken(value, unit, raw)];
  return [wordToken(raw.toLowerCase(), raw)];
}

const numberToken = (value: number, unit: string, raw: string): Token => ({
  kind: 'number',
  text: String(value),
  raw,
  value,
  unit,
});

/** A word without its contraction; "sma200" is a word and a number. */
function wordTokens(raw: string): Token[] {
  const text = raw.toLowerCase().replace(/[’`]/g, "'");
  // A capital R is a term of the field, not a short "are".
  const bareText = text.replaceAll("'", '');
  const whole = raw === 'R' || !Object.hasOwn(contractions, bareText) ? undefined : contractions[bareText];
  if (whole !== undefined && (text.includes("'") || text !== 'id'))
    return whole.split(' ').map((each, n) => wordToken(each, n === 0 ? raw : ''));
  if (text.endsWith("n't")) return [wordToken(text.slice(0, -3), raw), wordToken('not', '')];
  const bare = text.replace(/'.*$/, '');
  const [, letters, digits] = /^([a-z]{2,})(\d{1,4})$/.exec(bare) ?? [];
  const token = wordToken(bare, raw.slice(0, bare.length));
  if (letters === undefined) return [text.endsWith("'s") ? { ...token, isPossessive: true } : token];
  const split = [wordToken(letters, raw.slice(0, letters.length)), numberToken(Number(digits), '', digits)];
  split[1].isJoined = true;
  return split;
}

/** A dot counts at the end of a sentence, a dash between words alone; "&" and "+" are "and". */
function markTokens(mark: string, after: string, before: Token | undefined): Token[] {
  if (mark === '.' && !/\s/.test(after)) return [];
  if (mark === '-' && (/[\s]/.test(after) || before === undefined)) return [];
  if (mark === '&' || mark === '+') return [wordToken('and', mark)];
  if (/[^ -~\n]/.test(mark)) return [{ kind: 'mark', text: ',', raw: ',' }];
  if (mark === '%') return [wordToken('percent', mark)];
  return [{ kind: 'mark', text: mark, raw: mark }];
}
