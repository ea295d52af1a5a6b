import { Decimal } from '../../compute/model/decimal.js';
import type { TradeSignal } from '../../compute/signals/plan-execution.js';
import type { PartnerSignal } from '../../storage/signals/partner-signal.js';

/** A stored signal as `planExecution` takes it. */
export function tradeSignalOf({ terms, createdAt }: Pick<PartnerSignal, 'terms' | 'createdAt'>): TradeSignal {
  const { side, leverage, entries, targets, stopLoss, investPercent, ttlMs } = terms;
  return {
    side,
    leverage,
    entries: entries.map(({ type, price, zoneEnd, percent }) => ({
      type,
      price: Decimal.read(price),
      zoneEnd: readOrNull(zoneEnd),
      percent: Decimal.read(percent),
    })),
    targets: targets.map((price) => Decimal.read(price)),
    stopLoss: readOrNull(stopLoss),
    investPercent: readOrNull(investPercent),
    entriesEndAt: ttlMs === null ? null : createdAt.getTime() + ttlMs,
  };
}

/** The decimal of a text; null for null. */
export const readOrNull = (text: string | null): Decimal | null =>
  text === null ? null : Decimal.read(text);
