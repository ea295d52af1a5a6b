import { nearestNames } from './nearest-names.js';

/** What people call the most traded assets, in small letters. */
const commonNames: Readonly<Record<string, readonly string[]>> = {
  AAVE: ['aave'],
  ADA: ['cardano'],
  ALGO: ['algorand'],
  APT: ['aptos'],
  ARB: ['arbitrum'],
  ATOM: ['cosmos'],
  AVAX: ['avalanche'],
  BCH: ['bitcoin cash'],
  BNB: ['binance coin', 'binance'],
  BTC: ['bitcoin', 'xbt'],
  DOGE: ['dogecoin'],
  DOT: ['polkadot'],
  ETC: ['ethereum classic'],
  ETH: ['ethereum', 'ether'],
  FIL: ['filecoin'],
  HBAR: ['hedera'],
  ICP: ['internet computer'],
  INJ: ['injective'],
  LINK: ['chainlink'],
  LTC: ['litecoin'],
  MATIC: ['polygon'],
  NEAR: ['near protocol'],
  OP: ['optimism'],
  PEPE: ['pepecoin'],
  POL: ['polygon'],
  SHIB: ['shiba inu', 'shiba'],
  SOL: ['solana'],
  SUI: ['sui network'],
  TON: ['toncoin'],
  TRX: ['tron'],
  UNI: ['uniswap'],
  XLM: ['stellar'],
  XMR: ['monero'],
  XRP: ['ripple'],
};

/** A pair where an asset is expected, as in BTCUSDT or BTC/USD. */
const pair = /^([^/_:-]+?)[/_:-]?(?:USDT|USDC|USD|EUR|BTC)$/i;

/**
 * The known symbols that a text may mean: that of an asset with this common name, the asset of a pair, else the symbols and
 * then the common names that are spelt nearly so.
 */
export function nearestAssets(given: string, known: readonly string[]): string[] {
  const symbols = known.flatMap((symbol) =>
    (commonNames[symbol] ?? []).map((name) => [name, symbol] as const),
  );
  const bySymbol = new Map(symbols);
  const text = given.trim();
  const exact = bySymbol.get(text.toLowerCase());
  if (exact !== undefined) return [exact];
  const [, base = ''] = pair.exec(text) ?? [];
  const ofPair = known.find((symbol) => symbol.toLowerCase() === base.toLowerCase());
  const near = nearestNames(text, known);
  if (ofPair !== undefined && near[0]?.toLowerCase() !== text.toLowerCase()) return [ofPair];
  if (near.length > 0) return near;
  return [...new Set(nearestNames(text, [...bySymbol.keys()]).map((name) => bySymbol.get(name)!))];
}
