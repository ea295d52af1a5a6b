import type { Exchange, Market } from 'ccxt';
import { Decimal } from '../../../compute/model/decimal.js';
import { readDecimal } from '../read-decimal.js';

/** The quantity of the base asset in one contract of a market; 1 where the market has no contracts. */
export function contractSizeOf({ markets }: Exchange, symbol: string): Decimal {
  const market = markets?.[symbol] as Market | undefined;
  return market?.contract && market.contractSize !== undefined
    ? readDecimal(market.contractSize)
    : Decimal.one;
}

/** Decimal places of a number of contracts. Quantities are multiples of the step, so no digit is lost. */
const places = 12;

/** A quantity of the base asset as a number of contracts. */
export const contractsOf = (quantity: Decimal, contractSize: Decimal): Decimal =>
  contractSize.compare(Decimal.one) === 0 ? quantity : quantity.dividedBy(contractSize, places, 'floor');
