import { Decimal } from '../model/decimal.js';
import type { TradeSide } from '../model/risk-assessment.js';
import { noPosition, type EntryLeg, type Execution, type ExitLeg, type RestingTargets } from './execution.js';
import {
  highestFeePercent,
  isSellableAt,
  isTradable,
  percentOf,
  priceOnTick,
  quantityWorth,
  quotientPlaces,
  type PairRules,
} from '../model/pair-rules.js';

/** An entry of a signal: a price zone, a single price, or at market up to a price. */
export interface SignalEntry {
  readonly type: 'limit' | 'market';
  /** The worst price of the order, in quote units. */
  readonly price: Decimal;
  readonly zoneEnd: Decimal | null;
  /** Percent of the investment; those of a signal add up to 100. */
  readonly percent: Decimal;
}

/** The terms of a signal, the same for every subscriber. */
export interface TradeSignal {
  readonly side: TradeSide;
  readonly leverage: number;
  readonly entries: readonly SignalEntry[];
  /** In the order in which the price reaches them. */
  readonly targets: readonly Decimal[];
  readonly stopLoss: Decimal | null;
  /** Percent of the quote balance, or null for what the subscriber has set. */
  readonly investPercent: Decimal | null;
  /** When (ms since 1970) entries that are not filled are withdrawn; null: never. */
  readonly entriesEndAt: number | null;
}

/** How a subscriber follows signals. */
export interface FollowSettings {
  /** The most that one signal may invest, in percent of the quote balance. */
  readonly investPercent: Decimal;
  /** The most that a signal may invest with rebuys and DCA levels, as a multiple of its own entries. */
  readonly maxExposure: Decimal;
  /** See `Execution`. */
  readonly maxSlippagePercent?: Decimal;
  readonly stopOnExchange: boolean;
  /** See `Execution`. */
  readonly restingTargets?: RestingTargets;
  readonly stopMoveMs?: number;
}

export type ExecutionPlan =
  | { readonly execution: Execution; readonly merged: readonly string[] }
  | { readonly skipped: string };

/**
 * Plans a signal for one subscriber. Amounts are shares of the quote balance. An entry below the minimum of the exchange is
 * merged into the next one. If nothing can be ordered, the plan is the reason why the signal is skipped.
 */
export function planExecution(
  signal: TradeSignal,
  settings: FollowSettings,
  rules: PairRules,
  quoteBalance: Decimal,
): ExecutionPlan {
  const percent = Decimal.min(signal.investPercent ?? settings.investPercent, settings.investPercent);
  const invested = Decimal.min(
    percentOf(quoteBalance, percent),
    mostInvested(signal, settings, rules, quoteBalance),
  );
  if (invested.sign <= 0) return { skipped: 'there is nothing to invest' };
  const { entries, merged } = planEntries(signal, rules, invested);
  if (entries.length === 0) return { skipped: tooSmall(signal, rules, invested) };
  const execution: Execution = {
    side: signal.side,
    leverage: signal.leverage,
    rules,
    status: 'queued',
    entries,
    targets: signal.targets.map(targetLeg),
    stop: signal.stopLoss && { trigger: signal.stopLoss, limit: null, trailing: null },
    pendingStop: null,
    entriesEndAt: signal.entriesEndAt,
    stopOnExchange: settings.stopOnExchange,
    ...(settings.restingTargets && { restingTargets: settings.restingTargets }),
    stopMoveMs: settings.stopMoveMs ?? 0,
    stopPlacedAt: null,
    isHalted: false,
    ...(settings.maxSlippagePercent && { maxSlippagePercent: settings.maxSlippagePercent }),
    maxInvested: invested.times(settings.maxExposure),
    invested,
    position: noPosition,
    orders: [],
    revisions: {},
    refusals: {},
    tradeIds: [],
    lastPrice: null,
    close: null,
  };
  return { execution, merged };
}

/**
 * What a balance covers. Where fees are paid beside the value of an order, the exchange refuses one of the whole balance; on futures also
 * one whose worst price would lose at once.
 */
function mostInvested(
  { leverage }: TradeSignal,
  { maxSlippagePercent = Decimal.zero }: FollowSettings,
  { feesIn, isReduceExempt }: PairRules,
  quoteBalance: Decimal,
): Decimal {
  if (feesIn !== 'quote') return quoteBalance;
  const beside = isReduceExempt ? highestFeePercent.plus(maxSlippagePercent) : highestFeePercent;
  const share = percentOf(Decimal.read(String(leverage)), beside);
  return quoteBalance.dividedBy(Decimal.one.plus(share), quotientPlaces, 'floor');
}

/** Why nothing can be ordered. */
function tooSmall(signal: TradeSignal, rules: PairRules, invested: Decimal): string {
  const { stopLoss } = signal;
  const isStop = planEntries({ ...signal, stopLoss: null }, rules, invested).entries.length > 0;
  const what = `the investment of ${invested.toString()}`;
  if (!isStop) return `${what} is below the minimum of the exchange`;
  return `${what} could not be sold at the stop of ${String(stopLoss)}: it would be below the minimum of the exchange`;
}

/**
 * The entries with their amounts. If the last amounts are below the minimum, they are added to the last entry that is large
 * enough.
 */
function planEntries(
  { entries, side, leverage, stopLoss }: TradeSignal,
  rules: PairRules,
  invested: Decimal,
): { entries: EntryLeg[]; merged: string[] } {
  const legs: EntryLeg[] = [];
  const merged: string[] = [];
  let carried = Decimal.zero;
  for (const [index, { type, price, zoneEnd, percent }] of entries.entries()) {
    const id = `entry-${index + 1}`;
    const amount = carried.plus(percentOf(invested, percent));
    const orderPrice = priceOnTick(price, side === 'long' ? 'buy' : 'sell', rules);
    const value = amount.times(Decimal.read(String(leverage)));
    const quantity = quantityWorth(value, orderPrice, rules);
    if (!isTradable(quantity, orderPrice, rules) || !isSellableAt(stopLoss, quantity, orderPrice, rules)) {
      carried = amount;
      merged.push(id);
      continue;
    }
    carried = Decimal.zero;
    legs.push({
      id,
      kind: 'entry',
      type,
      price,
      zoneEnd,
      amount,
      state: 'waiting',
      quantity: null,
      filled: Decimal.zero,
      stop: null,
    });
  }
  const last = legs.at(-1);
  if (last && carried.sign > 0) legs[legs.length - 1] = { ...last, amount: last.amount.plus(carried) };
  return { entries: legs, merged };
}

const targetLeg = (price: Decimal, index: number): ExitLeg => ({
  id: `target-${index + 1}`,
  type: 'limit',
  price,
  percent: null,
  state: 'waiting',
  quantity: null,
  filled: Decimal.zero,
  stop: null,
});
