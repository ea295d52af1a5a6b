import { readDecimal } from '../../read-decimal.js';
import type { PriceBand, VenueTrading } from '../../venue-trading.js';

/**
 * Filters of "Filters" of the spot API: PERCENT_PRICE_BY_SIDE (bid for purchases, ask for sales) or PERCENT_PRICE for both, each with both
 * ends; they compare with the average of some minutes. "Common Definition" of USDS-M futures, PERCENT_PRICE: purchases have the upper
 * end alone, sales the lower one.
 */
export const binancePriceBand: NonNullable<VenueTrading['priceBand']> = ({ info, contract }) => {
  const { filters = [] } = info as { filters?: Record<string, unknown>[] };
  const of = (type: string) => filters.find(({ filterType }) => filterType === type);
  const [bySide, both] = [of('PERCENT_PRICE_BY_SIDE'), of('PERCENT_PRICE')];
  if (contract === true)
    return ratios({ mostBuyRatio: both?.multiplierUp, leastSellRatio: both?.multiplierDown });
  return ratios({
    mostBuyRatio: bySide?.bidMultiplierUp ?? both?.multiplierUp,
    leastBuyRatio: bySide?.bidMultiplierDown ?? both?.multiplierDown,
    mostSellRatio: bySide?.askMultiplierUp ?? both?.multiplierUp,
    leastSellRatio: bySide?.askMultiplierDown ?? both?.multiplierDown,
  });
};

const ratios = (given: { [Name in keyof PriceBand]: unknown }): PriceBand =>
  Object.fromEntries(
    Object.entries(given)
      .filter(([, ratio]) => Number(ratio) > 0)
      .map(([name, ratio]) => [name, readDecimal(ratio)]),
  );
