import { assetNames } from './asset-names.js';
import { nearestNames } from './nearest-names.js';

/** Other common names of assets, in lower case. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  BNB: ['binance coin', 'binance'],
  BTC: ['xbt'],
  ETH: ['ether'],
  PEPE: ['pepecoin'],
  SHIB: ['shiba'],
  SUI: ['sui network'],
  XRP: ['ripple'],
};

/** The name of an asset and its other common names, in lower case. */
export const wordsFor = (symbol: string): string[] => {
  const name = Object.hasOwn(assetNames, symbol) ? [assetNames[symbol].toLowerCase()] : [];
  return [...name, ...(Object.hasOwn(otherNames, symbol) ? otherNames[symbol] : [])];
};

/** Fewest letters of a misspelt name. */
const shortestName = 5;

/** A pair where an asset is expected, as in BTCUSDT or BTC/USD. */
const pair = /^([^/_:-]+?)[/_:-]?(?:USDT|USDC|USD|EUR|BTC)$/i;

/**
 * The known symbols that a text may mean: the asset with exactly this common name, or the asset of a pair. Otherwise those
 * with a similar symbol, or if there are none, those with a similar common name.
 */
export function nearestAssets(given: string, known: readonly string[]): string[] {
  const symbols = known.flatMap((symbol) => wordsFor(symbol).map((name) => [name, symbol] as const));
  const bySymbol = new Map(symbols);
  const text = given.trim();
  const exact = bySymbol.get(text.toLowerCase());
  if (exact !== undefined) return [exact];
  const [, base = ''] = pair.exec(text) ?? [];
  const ofPair = known.find((symbol) => symbol.toLowerCase() === base.toLowerCase());
  // Another first letter makes the symbol of another asset: WBTC is not BTC.
  const [first = '', second = ''] = text.toUpperCase();
  const near = nearestNames(text, known).filter(
    (each) => each.startsWith(first) || each.startsWith(second + first),
  );
  if (ofPair !== undefined && near[0]?.toLowerCase() !== text.toLowerCase()) return [ofPair];
  if (near.length > 0) return near;
  // Short words are symbols, and a name with another first letter is another name: TON is not Tron.
  const names = [...bySymbol.keys()].filter((name) => name.startsWith(text[0]?.toLowerCase() ?? ''));
  const nearNames = text.length < shortestName ? [] : nearestNames(text, names);
  return [...new Set(nearNames.map((name) => bySymbol.get(name)!))];
}
