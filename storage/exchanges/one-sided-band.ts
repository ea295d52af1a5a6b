import { Decimal } from '../../compute/model/decimal.js';
import { readDecimal } from './read-decimal.js';
import type { PriceBand } from './venue-trading.js';

/** The band of an exchange that limits only what would trade badly: purchases above the market by a share of its price, and sales below it. */
export function oneSidedBand(share: unknown): PriceBand {
  if (!(Number(share) > 0)) return {};
  const limit = readDecimal(share);
  const leastSellRatio = Decimal.one.minus(limit);
  return { mostBuyRatio: Decimal.one.plus(limit), ...(leastSellRatio.sign > 0 && { leastSellRatio }) };
}
