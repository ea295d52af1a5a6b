import { Decimal } from '../../../compute/model/decimal.js';
import type { Account } from '../../accounts/accounts.js';

/** The list in the order in which accounts keep it. Sorts in place. */
export const inAssetOrder = <T extends { asset: string }>(all: T[]): T[] =>
  all.sort((left, right) => (left.asset < right.asset ? -1 : 1));

/** Cash after an amount of an asset was added; below 0, taken away. */
export function withCash(cash: Account['cash'], asset: string, amount: Decimal): Account['cash'] {
  const known = cash.find((each) => each.asset === asset);
  const total = Decimal.read(known?.quantity ?? '0').plus(amount);
  return inAssetOrder([...cash.filter((each) => each !== known), { asset, quantity: String(total) }]);
}
