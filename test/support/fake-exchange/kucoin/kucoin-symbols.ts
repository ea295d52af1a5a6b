import { Decimal } from '../../../../compute/model/decimal.js';
import { ExchangeRefusal } from '../book/exchange-refusal.js';
import { symbolOf, type TradedPair } from '../book/traded-pair.js';
import type { RestCall } from '../rest/rest-call.js';

/** KuCoin's name of a pair on spot and margin. */
export const spotIdOf = ({ base, quote }: TradedPair): string => `${base}-${quote}`;

/** KuCoin's name of the perpetual contract of a pair. */
export const contractIdOf = ({ base, quote }: TradedPair): string =>
  `${base === 'BTC' ? 'XBT' : base}${quote}M`;

/** The pair with one of KuCoin's names. Throws its refusal of another. */
export function pairOf({ engine }: RestCall, id: string): TradedPair {
  const found = [...engine.pairs.values()].find((pair) => [spotIdOf(pair), contractIdOf(pair)].includes(id));
  if (!found) throw new ExchangeRefusal(-1121, 'Invalid symbol.');
  return found;
}

/** The book's name of a pair with one of KuCoin's names. */
export const bookSymbolOf = (call: RestCall, id: string): string => symbolOf(pairOf(call, id));

/** How much of the base asset one contract is. */
export const multiplierOf = ({ futures }: TradedPair): Decimal => Decimal.read(futures!.stepSize);

/** A quantity as a number of contracts. */
export const contractsIn = (quantity: Decimal, pair: TradedPair): number =>
  Number(quantity.dividedBy(multiplierOf(pair), 8, 'half-even').toString());
