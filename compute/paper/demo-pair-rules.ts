import { demoAssets, type DemoAsset } from '../demo/demo-assets.js';
import { Decimal } from '../model/decimal.js';
import { pairName, type PairSymbols } from '../model/market-pair.js';
import type { PairRules } from '../model/pair-rules.js';

/** The least value of an order, by quote currency. */
const minNotional = { USDT: '5', BTC: '0.0001' } as const;

/** The rules of every pair of the demo market, by name. */
const rulesByPair = new Map<string, PairRules>(demoAssets.flatMap(rulesOf));

/** The rules of the paper exchange for orders of a pair; null for a pair that the demo market does not trade. */
export const demoPairRules = (pair: PairSymbols): PairRules | null => rulesByPair.get(pairName(pair)) ?? null;

/**
 * The rules of an asset by pair. Prices have the decimals of the demo market. A step of the quantity is worth 0.1 to 1 USDT at
 * the asset's first price, or is one whole unit of an asset that is cheaper than 1 USDT; the least quantity is one step.
 */
function rulesOf({ base, price, decimals, btcDecimals }: DemoAsset): [string, PairRules][] {
  const stepSize = powerOfTenth(price < 1 ? 0 : String(Math.floor(price)).length);
  const rules = (quote: keyof typeof minNotional, places: number): [string, PairRules] => [
    pairName({ base, quote }),
    {
      tickSize: powerOfTenth(places),
      stepSize,
      minQuantity: stepSize,
      minNotional: Decimal.parse(minNotional[quote]),
    },
  ];
  return [rules('USDT', decimals), ...(btcDecimals === undefined ? [] : [rules('BTC', btcDecimals)])];
}

/** 1, 0.1, 0.01 and so on. */
function powerOfTenth(places: number): Decimal {
  return Decimal.read(`1e-${places}`);
}
