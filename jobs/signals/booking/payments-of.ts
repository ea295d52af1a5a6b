import type { TradePayment } from '../../../compute/ledger/trade-result.js';
import { sharePayment } from '../../../compute/ledger/share-payment.js';
import { Decimal } from '../../../compute/model/decimal.js';
import { groupBy } from '../../../compute/model/group-by.js';
import { parsePair } from '../../../compute/model/market-pair.js';
import { isDollar } from '../../../storage/candles/pegged.js';
import { paperName } from '../../../storage/exchanges/exchange-names.js';
import type { Storage } from '../../../storage/index.js';
import { paymentKey, type Payment } from '../../../storage/ledger/ledger-entries.js';
import { paymentFactOf, paymentHolderOf } from './payment-holder-of.js';
import type { StoredExecution } from '../../../storage/signals/stored-execution.js';

type PaymentStorage = Pick<Storage, 'ledgerEntries' | 'openExecutions'>;

/** Funding and interest of executions on MARGIN and FUTURES of connected exchanges. On PAPER, the fills contain them. */
export async function paymentsOf(
  storage: PaymentStorage,
  executions: readonly StoredExecution[],
): Promise<Map<string, TradePayment[]>> {
  const charged = executions.filter(
    ({ account, exchange, orders }) =>
      account !== undefined &&
      account !== 'SPOT' &&
      exchange !== paperName &&
      orders.some(({ fills }) => fills.length > 0),
  );
  const found = new Map<string, TradePayment[]>();
  const wallets = groupBy(charged, ({ userId, exchange, account }) => `${userId} ${exchange} ${account}`);
  for (const same of wallets.values())
    for (const [id, payments] of await ofWallet(storage, same)) found.set(id, payments);
  return found;
}

/** The payments of executions on one account. */
async function ofWallet(
  { ledgerEntries, openExecutions }: PaymentStorage,
  executions: readonly StoredExecution[],
): Promise<Map<string, TradePayment[]>> {
  const [{ userId, exchange, account }] = executions;
  const times = executions.flatMap(timesOf);
  const [since, until] = [new Date(Math.min(...times)), new Date(Math.max(...times))];
  if (account === 'SPOT') return new Map();
  const payments = await ledgerEntries.payments(userId, since, { until, of: { exchange, account } });
  if (payments.length === 0) return new Map();
  const others = await openExecutions.onAccount(userId, { exchange, account }, since);
  const holders = others.flatMap((each) => paymentHolderOf(each) ?? []);
  const byId = new Map(executions.map((each) => [each.id, each]));
  const found = new Map<string, TradePayment[]>();
  for (const payment of payments)
    for (const [id, amount] of sharePayment(paymentFactOf(payment), holders)) {
      const execution = byId.get(id);
      const part = execution && partOf(payment, amount, parsePair(execution.pair)!.quote);
      if (part) found.set(id, [...(found.get(id) ?? []), part]);
    }
  return found;
}

const timesOf = ({ orders }: StoredExecution): number[] =>
  orders.flatMap(({ fills }) => fills.map(({ at }) => at.getTime()));

/** A part of a payment in quote units; null where its price is not known. */
function partOf(payment: Payment, amount: Decimal, quote: string): TradePayment | null {
  const { asset, price, at } = payment;
  const about = { id: paymentKey(payment), asset, amount, at: at.getTime() };
  if (asset === quote) return { ...about, value: amount };
  if (price === null || !isDollar(quote)) return null;
  return { ...about, value: amount.times(Decimal.read(price)) };
}
