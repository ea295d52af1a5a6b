import type { PaymentFact, PaymentHolder } from '../../../compute/ledger/share-payment.js';
import { Decimal } from '../../../compute/model/decimal.js';
import { parsePair } from '../../../compute/model/market-pair.js';
import type { StoredExecution } from '../../../storage/signals/stored-execution.js';
import type { Payment } from '../../../storage/ledger/ledger-entries.js';

/** An execution as `sharePayment` takes it; null if it was never planned. */
export function paymentHolderOf({
  id,
  pair,
  state,
  orders,
}: Pick<StoredExecution, 'id' | 'pair' | 'state' | 'orders'>): PaymentHolder | null {
  if (!state) return null;
  const fills = orders.flatMap(({ side, fills: own }) =>
    own.map(({ quantity, price, at }) => {
      return { side, quantity: Decimal.read(quantity), price: Decimal.read(price), at: at.getTime() };
    }),
  );
  return { id, ...parsePair(pair)!, side: state.side, leverage: state.leverage, fills };
}

/** A payment as `sharePayment` takes it. */
export const paymentFactOf = ({ kind, asset, amount, pair, basis, at }: Payment): PaymentFact => ({
  kind,
  asset,
  pair,
  amount: Decimal.read(amount),
  at: at.getTime(),
  basis: basis === null ? null : Decimal.read(basis),
});
