import type { Exchange, Market } from 'ccxt';
import { Decimal } from '../../../compute/model/decimal.js';
import { readDecimal } from '../read-decimal.js';

/** How much of the base asset one contract of a market is; 1 where it is not counted in contracts. */
export function contractSizeOf({ markets }: Exchange, symbol: string): Decimal {
  const market = markets?.[symbol] as Market | undefined;
  return market?.contract && market.contractSize !== undefined
    ? readDecimal(market.contractSize)
    : Decimal.one;
}

/** Places of a number of contracts; quantities are on their step, so that nothing is cut off. */
const places = 12;

/** A quantity of the base asset as a number of contracts. */
export const contractsOf = (quantity: Decimal, contractSize: Decimal): Decimal =>
  contractSize.compare(Decimal.one) === 0 ? quantity : quantity.dividedBy(contractSize, places, 'floor');
