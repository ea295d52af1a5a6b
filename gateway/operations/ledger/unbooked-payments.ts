import type { PaymentLine } from '../../../compute/ledger/profit-groups.js';
import { sharePayment } from '../../../compute/ledger/share-payment.js';
import { Decimal } from '../../../compute/model/decimal.js';
import { groupBy } from '../../../compute/model/group-by.js';
import { parsePair } from '../../../compute/model/market-pair.js';
import { quoteCurrency } from '../../../storage/candles/pegged.js';
import type { ProfitLine } from '../../../storage/ledger/booked-trades.js';
import { paymentKey, type Payment } from '../../../storage/ledger/ledger-entries.js';
import type { AccountExecution } from '../../../storage/ledger/open-executions.js';
import { paymentFactOf, paymentHolderOf } from '../../../jobs/signals/booking/payment-holder-of.js';
import type { Deps } from '../../context.js';

/** The channel under which payments of positions that no signal holds are shown. */
const noChannel = 'none';

/** Funding and interest of a user that no counted trade includes: of open positions, and of positions that no signal holds. */
export class UnbookedPayments {
  readonly #payments: readonly Payment[];
  readonly #storage: Deps['storage'];
  /** The amount of each payment that counted trades include. */
  readonly #booked = new Map<string, Decimal>();
  /** The trade and the payment of each included share, as in `trade payment`. */
  readonly #bookedIn = new Set<string>();

  /** `payments`: read before the trades, so that one which is booked meanwhile counts once. */
  constructor(payments: readonly Payment[], storage: Deps['storage']) {
    this.#payments = payments;
    this.#storage = storage;
  }

  /** Notes that a trade was counted with these payments. */
  noteBooked({ id: tradeId, payments = [] }: Pick<ProfitLine, 'id' | 'payments'>): void {
    for (const { id, amount } of payments) {
      this.#bookedIn.add(`${tradeId} ${id}`);
      this.#booked.set(id, (this.#booked.get(id) ?? Decimal.zero).plus(Decimal.read(amount)));
    }
  }

  async lines(): Promise<PaymentLine[]> {
    const lines: PaymentLine[] = [];
    const wallets = groupBy(this.#payments, ({ userId, exchange, account }) =>
      [userId, exchange, account].join(' '),
    );
    for (const payments of wallets.values()) {
      const [{ userId, exchange, account, at }] = payments;
      const wallet = { exchange, account };
      const executions = await this.#storage.openExecutions.onAccount(userId, wallet, at);
      for (const payment of payments) lines.push(...this.#linesOf(payment, executions));
    }
    return lines.filter(({ amount }) => amount.sign !== 0);
  }

  #linesOf(payment: Payment, executions: readonly AccountExecution[]): PaymentLine[] {
    const booked = this.#booked.get(paymentKey(payment));
    const holders = executions.flatMap((each) => paymentHolderOf(each) ?? []);
    const shares = sharePayment(paymentFactOf(payment), holders);
    let rest = Decimal.read(payment.amount).minus(booked ?? Decimal.zero);
    const lines: PaymentLine[] = [];
    for (const execution of executions) {
      const share = shares.get(execution.id);
      if (!share || this.#bookedIn.has(`${execution.id} ${paymentKey(payment)}`)) continue;
      rest = rest.minus(share);
      const asset = parsePair(execution.pair)!.base;
      lines.push(lineOf(payment, share, { asset, channelId: execution.channelId }));
    }
    const asset = payment.pair === null ? payment.asset : parsePair(payment.pair)!.base;
    return [...lines, lineOf(payment, rest, { asset, channelId: noChannel })];
  }
}

/** A part of a payment in the quote currency where its price is known, else in its own asset. */
function lineOf(
  { asset: paidIn, price, exchange, at }: Payment,
  amount: Decimal,
  about: Pick<PaymentLine, 'asset' | 'channelId'>,
): PaymentLine {
  const isValued = paidIn !== quoteCurrency && price !== null;
  return {
    ...about,
    exchange,
    at,
    tradeMarket: isValued ? quoteCurrency : paidIn,
    amount: isValued ? amount.times(Decimal.read(price)) : amount,
  };
}
