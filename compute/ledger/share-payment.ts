import { Decimal } from '../model/decimal.js';
import { quotientPlaces } from '../model/pair-rules.js';
import type { TradeSide } from '../model/risk-assessment.js';
import type { LedgerFill } from './realised-profits.js';

/** Funding of a position, or interest on a loan, as an exchange has charged it. */
export interface PaymentFact {
  readonly kind: 'funding' | 'interest';
  readonly asset: string;
  /** Received (above 0) or paid. */
  readonly amount: Decimal;
  /** The pair of the position or loan, such as "BTC/USDT"; null if the payment concerns the whole account. */
  readonly pair: string | null;
  /** The size of the position in base units, or the loan; null if it is unknown. */
  readonly basis: Decimal | null;
  /** In ms since 1970. */
  readonly at: number;
}

/** An execution that may have held the position or the loan of a payment. */
export interface PaymentHolder {
  readonly id: string;
  readonly base: string;
  readonly quote: string;
  readonly side: TradeSide;
  readonly leverage: number;
  readonly fills: readonly Pick<LedgerFill, 'side' | 'quantity' | 'price' | 'at'>[];
}

/**
 * The parts of a payment that belong to executions, by id, in units of its asset. Each part is proportional to what the execution
 * held of the position or had borrowed. The rest belongs to a holding that is not part of these executions.
 */
export function sharePayment(payment: PaymentFact, holders: readonly PaymentHolder[]): Map<string, Decimal> {
  const weights = holders
    .map((holder) => ({ id: holder.id, weight: weightOf(payment, holder) }))
    .filter(({ weight }) => weight.sign !== 0);
  const total = Decimal.sum(weights.map(({ weight }) => weight));
  if (total.sign === 0) return new Map();
  const { basis } = payment;
  const known = basis && basis.compare(sizeOf(total)) > 0 ? basis : sizeOf(total);
  const whole = total.sign < 0 ? known.negated() : known;
  return new Map(
    weights.map(({ id, weight }) => [
      id,
      payment.amount.times(weight).dividedBy(whole, quotientPlaces, 'half-even'),
    ]),
  );
}

const weightOf = (payment: PaymentFact, holder: PaymentHolder): Decimal =>
  payment.kind === 'funding' ? fundedBy(payment, holder) : borrowedBy(payment, holder);

/** The quantity of the pair that an execution held; below 0 for a short. */
const fundedBy = ({ pair, at }: PaymentFact, holder: PaymentHolder): Decimal =>
  pair === `${holder.base}/${holder.quote}` ? heldAt(holder, at) : Decimal.zero;

/**
 * About how much of the asset an execution had borrowed: a short all that it had sold, a long the part of its cost that its own
 * money did not pay.
 */
function borrowedBy({ asset, pair, at }: PaymentFact, holder: PaymentHolder): Decimal {
  const { base, quote, side, leverage } = holder;
  if (pair !== null && pair !== `${base}/${quote}`) return Decimal.zero;
  if (asset !== (side === 'long' ? quote : base)) return Decimal.zero;
  const held = heldAt(holder, at);
  if (held.sign !== (side === 'long' ? 1 : -1)) return Decimal.zero;
  if (side === 'short') return held.negated();
  const bought = holder.fills.filter((fill) => fill.side === 'buy' && fill.at <= at);
  const quantity = Decimal.sum(bought.map((fill) => fill.quantity));
  const cost = Decimal.sum(bought.map((fill) => fill.quantity.times(fill.price)));
  return cost
    .times(held)
    .times(Decimal.read(String(leverage - 1)))
    .dividedBy(quantity.times(Decimal.read(String(leverage))), quotientPlaces, 'half-even');
}

/** The quantity that an execution held at a time; below 0 for a short. Fees do not count. */
const heldAt = ({ fills }: PaymentHolder, at: number): Decimal =>
  Decimal.sum(
    fills
      .filter((fill) => fill.at <= at)
      .map(({ side, quantity }) => (side === 'buy' ? quantity : quantity.negated())),
  );

const sizeOf = (value: Decimal): Decimal => (value.sign < 0 ? value.negated() : value);
