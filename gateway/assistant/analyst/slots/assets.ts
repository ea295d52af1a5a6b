import { wordSet, wordTable } from '../word-list.js';
import type { Question } from './question.js';
import type { ReadingContext } from './reading-context.js';
import { glossaryTerms } from '../glossary-terms.js';
import type { Token } from '../text/token.js';
import { isOrdinaryWord } from '../vocabulary/words.js';

/** Currencies that prices are given in, as pairs name them. */
const quotes: Readonly<Record<string, string>> = wordTable('assets', 'quotes');

/** Quote currencies that are not asked about as assets. */
const currencies = new Set(['usdt', 'usd', 'tether', 'usdc', 'eur', 'euro', 'euros']);

/** Words before an asset that is an ordinary word as well: "the price of link". */
const cuesBefore = wordSet('assets', 'cuesBefore');

/** Words behind such an asset: "link price". */
const cuesAfter = wordSet('assets', 'cuesAfter');

/** Between "buy" and an asset: "some", "more". */
const quantities = wordSet('assets', 'quantities');

const strongCues = wordSet('assets', 'strongCues');

/** The most assets of one question. */
const mostAssets = 15;

/** Reads the assets and the quote currency: symbols, names, "$sol", "BTC/USDT", "eth-btc", "btcusdt". */
export function readAssets(question: Question, context: ReadingContext): void {
  const found: string[] = [];
  const add = (symbol: string, from: number, to: number) => {
    question.take('asset', from, to);
    if (!found.includes(symbol) && found.length < mostAssets) found.push(symbol);
  };
  for (let at = 0; at < question.tokens.length; at++) {
    if (!question.isFree(at)) continue;
    const read =
      pairAt(question, at, context) ?? nameAt(question, at, context) ?? symbolAt(question, at, context);
    if (read === null) continue;
    if (read.end === at + 1 && isQuote(question, at, found.length === 0)) {
      question.slots.tradeMarket ??= quotes[question.word(at)];
      const isLed = ['in', 'against'].includes(question.word(at - 1));
      question.take('tradeMarket', isLed ? at - 1 : at, at + 1);
      continue;
    }
    add(read.symbol, at, read.end);
    if (read.quote !== undefined && read.quote !== read.symbol) question.slots.tradeMarket ??= read.quote;
    at = read.end - 1;
  }
  readQuote(question);
  // "Link and ada": a word of every day before an asset that it is listed with.
  for (const { symbol, at } of question.candidatePlaces)
    if (isListed(question.tokens[at + 1]) && question.slotAt(at + 2) === 'asset') {
      question.take('asset', at, at + 1);
      if (!found.includes(symbol)) found.unshift(symbol);
    }
  if (found.length === 0) return;
  question.slots.asset = found[0];
  question.slots.assets = found;
}

/** "Backtest link 4h", "donchian link 1y": a word of every day where a test or a reading has its asset, once all else is read. */
export function readBareAsset(question: Question): void {
  if (question.slots.asset !== undefined) return;
  const isBeside = (at: number, words: ReadonlySet<string>) =>
    at < 0 ||
    at >= question.tokens.length ||
    ofAssets.has(question.slotAt(at) ?? '') ||
    words.has(question.word(at)) ||
    question.tokens[at].kind === 'mark';
  const place = question.candidatePlaces.find(
    ({ kind, at }) =>
      kind === 'asset' &&
      question.tokens.length > 1 &&
      isBeside(at - 1, testers) &&
      isBeside(at + 1, noWords) &&
      [at - 1, at + 1].some(
        (beside) => ofAssets.has(question.slotAt(beside) ?? '') || testers.has(question.word(beside)),
      ),
  );
  if (place === undefined) return;
  question.take('asset', place.at, place.at + 1);
  Object.assign(question.slots, { asset: place.symbol, assets: [place.symbol] });
}

/** Slots that an asset stands beside: "rsi link 4h". */
const ofAssets = new Set(['strategy', 'indicator', 'interval', 'period', 'side']);
const testers = new Set(['backtest', 'test', 'run', 'on', 'for']);
const noWords: ReadonlySet<string> = new Set();

const listJoints = new Set(['and', 'or', 'vs', 'versus', ',', '/']);
const isListed = (joint?: Token): boolean => listJoints.has(joint?.text ?? '') && joint?.raw !== '.';

interface AssetRead {
  symbol: string;
  end: number;
  quote?: string;
}

/** "Suis last flip", "litecoins volume": the asset of a plural or of a genitive without its mark. */
const ofPlural = (text: string, { assets, isKnownWord }: ReadingContext): string | undefined =>
  text.endsWith('s') &&
  text.length > 3 &&
  !assets.isOrdinary(text) &&
  !isKnownWord(text) &&
  !assets.isOrdinary(text.slice(0, -1))
    ? (assets.symbol(text.slice(0, -1)) ?? assets.named(text.slice(0, -1)))
    : undefined;

function pairAt(question: Question, at: number, { assets }: ReadingContext): AssetRead | null {
  const base = question.word(at);
  if (base === '') return null;
  const quote = quotes[question.word(at + 2)];
  const isPair = question.isMark(at + 1, '/') || question.isMark(at + 1, '-');
  const symbol = assets.symbol(base) ?? assets.named(base);
  // "BTC/ETH/SOL" is a list.
  if ([at - 1, at + 3].some((place) => question.isMark(place, '/'))) return null;
  if (isPair && Object.hasOwn(quotes, question.word(at + 2)) && !currencies.has(base))
    return { symbol: symbol ?? base.toUpperCase(), end: at + 3, quote };
  const [, joined, currency] = /^([a-z\d]{2,10})(usdt|usdc|usd|btc|eur)$/.exec(base) ?? [];
  const ofJoined = joined === undefined ? undefined : assets.symbol(joined);
  return ofJoined === undefined ? null : { symbol: ofJoined, end: at + 1, quote: quotes[currency] };
}

/** The asset whose name begins there; longer names count first. Names that are ordinary words need a word beside them. */
function nameAt(question: Question, at: number, context: ReadingContext): AssetRead | null {
  if (!context.assets.beginsName(question.word(at))) return null;
  for (const length of [3, 2, 1]) {
    const name = question.phrase(at, length);
    const symbol = context.assets.named(name);
    if (symbol === undefined || at + length > question.tokens.length) continue;
    if (length > 1 || !isOrdinary(name, context) || hasCue(question, at, at + 1))
      return { symbol, end: at + length };
  }
  return null;
}

function symbolAt(question: Question, at: number, context: ReadingContext): AssetRead | null {
  const token = question.tokens[at];
  const { assets } = context;
  const text = token.kind === 'word' ? token.text : token.raw.toLowerCase();
  if (token.kind !== 'word' && !/^\d+[a-z]+$/.test(text)) return null;
  if (Object.hasOwn(glossaryTerms, question.phrase(at, 2))) return null;
  // "Nears last flip"
  const isOwner = text.endsWith('s') && ['last', 'latest', 'current'].includes(question.word(at + 1));
  const symbol =
    assets.symbol(text) ??
    ofPlural(text, context) ??
    (isOwner ? assets.symbol(text.slice(0, -1)) : undefined);
  const digits = question.tokens[at + 1];
  // "BTC2" is no BTC.
  if (symbol !== undefined && digits?.isJoined === true && digits.kind === 'number' && digits.unit === '')
    return { symbol: `${text}${digits.raw}`.toUpperCase(), end: at + 2 };
  const read = { symbol: symbol ?? text.toUpperCase(), end: at + 1 };
  if (token.isCashtag) return read;
  if (symbol === undefined) return isUnknownSymbol(question, at, context) ? read : null;
  if (currencies.has(text)) return null;
  if (token.isCorrected) return null;
  if (!isOrdinary(text, context) && !assets.isFunctionWord(text)) return read;
  if (isCapital(question, at) && (!assets.isFunctionWord(text) || strongCues.has(question.word(at - 1))))
    return read;
  if (assets.isFunctionWord(text)) return null;
  if (hasCue(question, at, at + 1)) return read;
  question.noteCandidate(symbol, at, 'asset');
  return null;
}

const isOrdinary = (text: string, { assets, isKnownWord }: ReadingContext) =>
  assets.isOrdinary(text) || isKnownWord(text);

/** Written in capitals, in a text that is not all in capitals. */
function isCapital(question: Question, at: number): boolean {
  const { raw } = question.tokens[at];
  return raw.length > 1 && raw === raw.toUpperCase() && question.hasSmallLetters;
}

const inflected = /(?:s|ed|ing|er|ly|y)$/;

/** Unknown words in small letters that are longer are words of English. */
const longestSymbol = 6;

/** A word in capitals that is neither English nor of the grammar: an asset that is not known here. */
function isUnknownSymbol(question: Question, at: number, context: ReadingContext): boolean {
  const { raw, text } = question.tokens[at];
  if (
    /^[a-z][a-z\d]{1,9}$/.test(text) &&
    !/^[mhdw]\d{1,3}$/.test(text) &&
    !isOrdinary(text, context) &&
    !context.assets.isFunctionWord(text)
  ) {
    if (isCapital(question, at)) return true;
    if (question.tokens[at].isCorrected) return false;
    if (isNamedAsset(question, at) || isOtherAsset(question, at)) return true;
    const isShort = raw.length <= longestSymbol;
    const kind = isShort && !isOrdinaryWord(text) && !inflected.test(text) ? 'name' : 'word';
    if (raw.length >= 2 && (isShort || hasCue(question, at, at + 1)))
      question.noteCandidate(text.toUpperCase(), at, kind);
  }
  return false;
}

/** "Mog coin": an unknown word before "coin" or "token" is the name of one. */
const isNamedAsset = (question: Question, at: number): boolean =>
  ['coin', 'token', 'inu'].includes(question.word(at + 1)) && !['any', 'every'].includes(question.word(at));

/** "And of bitconnect?": a word of no language in a few that ask for another asset. */
const isOtherAsset = ({ tokens }: Question, at: number): boolean =>
  tokens[at].isStrange === true &&
  tokens.filter(({ kind }) => kind !== 'mark').length <= mostOfOther &&
  ['of', 'about', 'for'].includes(tokens[at - 1]?.text);
const mostOfOther = 4;

function hasCue(question: Question, from: number, to: number): boolean {
  // "Bought some link".
  const isSome = quantities.has(question.word(from - 1)) && strongCues.has(question.word(from - 2));
  const [before, after] = [question.word(from - (isSome ? 2 : 1)), question.word(to)];
  if (question.tokens[to]?.kind === 'number' || notBefore.has(after)) return false;
  const number = question.tokens[from - 1];
  if (number?.kind === 'number' && ['', '%'].includes(number.unit ?? '')) return true;
  const isAlone = from <= 1 && to >= question.tokens.length && ['', 'and', 'or'].includes(before);
  if (isAlone) return true;
  if (cuesAfter.has(after)) return !notBehind.has(before);
  const ends = to >= question.tokens.length || question.tokens[to].kind !== 'word';
  const isListed = ['and', 'or', 'vs', 'versus', 'plus'].includes(before) || question.isMark(from - 1, ',');
  const between =
    question.slotAt(from - 1) === 'asset' || (isListed && question.slotAt(from - 2) === 'asset');
  if (between) return true;
  if (strongCues.has(before)) return true;
  return cuesBefore.has(before) && before !== 'and' && before !== 'or'
    ? ends || cuesBeforeVerb.has(before) || softCues.has(after)
    : false;
}

/** Behind an asset with a cue before it: "long link from 14", "of near over a month". */
const softCues = wordSet('assets', 'softCues');

/** Before these the word is none: "near its high", "link between". */
const notBefore = new Set('its the a an to my their between with of'.split(' '));

/** Behind these the word is none: "coins near support", "the link". */
const notBehind = wordSet('assets', 'notBehind');

/** Before these an asset may be followed by further words: "is link bullish". */
const cuesBeforeVerb = new Set('is does will did has are'.split(' '));

/** "In euro", "in BTC terms", "and against btc": the quote currency where no pair names it. */
function readQuote(question: Question): void {
  for (let at = 0; at < question.tokens.length; at++) {
    const word = question.word(at);
    if (!currencies.has(word) || !question.isFree(at)) continue;
    question.take('tradeMarket', at, at + 1);
    if (word !== 'usd') question.slots.tradeMarket ??= quotes[word];
  }
}

const shortest = 3;
/** Words at the end of a question that say nothing of its asset. */
const closings = wordSet('assets', 'closings');

/** Whether an asset is named as a currency: "in BTC terms", "eth in btc", "and against btc?". */
function isQuote(question: Question, at: number, isFirst: boolean): boolean {
  if (!Object.hasOwn(quotes, question.word(at))) return false;
  const before = question.word(at - 1);
  if (question.word(at + 1) === 'terms') return true;
  const isLast = question.tokens[at + 1]?.kind !== 'word' || closings.has(question.word(at + 1));
  const isQuoted = ['quoted', 'priced', 'denominated', 'worth'].includes(question.word(at - 2));
  // "50 % in BTC" is a share, and "in BTC?" alone another currency.
  const isShare = [2, 3].some((back) => question.tokens[at - back]?.unit === '%');
  if (before === 'in')
    return isQuoted || (!isShare && isLast && (!isFirst || question.tokens.length <= shortest));
  return before === 'against' && isFirst && isLast && at <= 2;
}
