import { wordsFor } from './nearest-assets.js';

/** Assets that go on under another symbol: what people who write the old one mean. */
const renamed: Readonly<Record<string, string>> = {
  AGIX: 'FET',
  EOS: 'A',
  FTM: 'S',
  GAL: 'G',
  KLAY: 'KAIA',
  MATIC: 'POL',
  NANO: 'XNO',
  RNDR: 'RENDER',
  XBT: 'BTC',
};

const quotes = ['USDT', 'USDC', 'FDUSD', 'TUSD', 'BUSD', 'USD', 'EUR', 'BTC', 'ETH', 'BNB'];

interface KnownPair {
  base: string;
  quote: string;
}

/** What a text that names an asset means: the asset, with the quote currency of a pair; or several assets that it may mean. */
export type WrittenAsset = { base: string; quote?: string } | { candidates: string[] };

/** Whether a symbol is written as the service writes it and means nothing else, so that no list of assets is needed to read it. */
export const isPlainAsset = (text: string): boolean =>
  /^[A-Z\d]{1,8}$/.test(text) &&
  !Object.hasOwn(renamed, text) &&
  !quotes.some((quote) => text.length > quote.length && text.endsWith(quote));

const letters = (text: string): string => text.toLowerCase().replaceAll(/[^a-z\d]/g, '');

/** The asset of `btc`, `$BTC`, `BTCUSDT`, `btc-usdt`, `bitcoin` or of an old symbol. Null for what names none of the known assets. */
export function readAsset(given: string, known: readonly KnownPair[]): WrittenAsset | null {
  const text = given.trim().replace(/^[$#]/, '');
  const bases = [...new Set(known.map(({ base }) => base))];
  const whole = readBase(text, bases);
  if (whole) return whole;
  const [, before = '', after = ''] = /^(.+?)\s*[/_:-]\s*([a-z]{2,6})$/i.exec(text) ?? [];
  if (before !== '') return withQuote(readBase(before, bases), after.toUpperCase());
  const symbol = text.toUpperCase();
  const pairs = [...new Set([...known.map(({ quote }) => quote), ...quotes])]
    .filter((quote) => symbol.endsWith(quote) && bases.includes(symbol.slice(0, -quote.length)))
    .map((quote) => ({ base: symbol.slice(0, -quote.length), quote }));
  if (pairs.length > 1) return { candidates: pairs.map(({ base, quote }) => `${base}/${quote}`) };
  return pairs.at(0) ?? null;
}

function readBase(text: string, bases: readonly string[]): WrittenAsset | null {
  const symbol = text.toUpperCase();
  const now = bases.includes(symbol) ? symbol : (renamed[symbol] ?? '');
  if (bases.includes(now)) return { base: now };
  const name = letters(text);
  const named = bases.filter((base) => wordsFor(base).some((each) => letters(each) === name));
  if (named.length > 1) return { candidates: named };
  return named.length === 1 ? { base: named[0] } : null;
}

const withQuote = (asset: WrittenAsset | null, quote: string): WrittenAsset | null =>
  asset && 'base' in asset ? { ...asset, quote } : asset;
