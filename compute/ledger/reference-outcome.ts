import type { Candles } from '../model/candles.js';
import type { TradeSide } from '../model/risk-assessment.js';
import type { ReferenceOutcome, ReferenceState } from '../model/track-record.js';

/** The levels of a signal as it was created. Later commands but a cancel do not matter. Prices are in quote units. */
export interface ReferenceSignal {
  readonly side: TradeSide;
  readonly leverage: number;
  /** `zoneEnd`: the other end of the zone; null for none. The percents add up to 100. */
  readonly entries: readonly {
    readonly price: number;
    readonly zoneEnd: number | null;
    readonly percent: number;
  }[];
  /** In the order in which the price reaches them. */
  readonly targets: readonly number[];
  readonly stopLoss: number | null;
  /** In ms since 1970; null: entries wait without an end, it was not cancelled. */
  readonly createdAt: number;
  readonly entriesEndAt: number | null;
  readonly cancelledAt: number | null;
}

/** The fee of each side in percent, as a usual taker pays it. */
export const referenceFeePercent = 0.1;

interface Lot {
  quantity: number;
  price: number;
}

/**
 * The outcome of a signal's levels on the candles that open at or after its creation. Where the order within a candle is
 * unknown, the worse one counts: the stop comes before a target, and no target is reached in a candle in which the price falls
 * to an entry. A gap over a level fills at the open. Entries wait through one candle at least. A short is computed
 * as a long on prices with the opposite sign.
 */
export function referenceOutcome(signal: ReferenceSignal, candles: Candles): ReferenceOutcome {
  const { side, createdAt, entriesEndAt, cancelledAt } = signal;
  const sign = side === 'long' ? 1 : -1;
  const stop = signal.stopLoss === null ? -Infinity : sign * signal.stopLoss;
  let targets = signal.targets.map((price) => sign * price);
  let waiting = signal.entries.map(({ price, zoneEnd, percent }) => ({
    price: sign * price,
    zoneEnd: zoneEnd === null ? -Infinity : sign * zoneEnd,
    percent,
  }));
  const bought: Lot[] = [];
  const sold: Lot[] = [];
  const held = () => quantityOf(bought) - quantityOf(sold);
  const sell = (price: number, quantity = held()) => sold.push({ quantity, price });
  const ended = (state: ReferenceState, at: number | null): ReferenceOutcome => ({
    state,
    at,
    returnPercent: null,
    r: null,
    ...(bought.length > 0 && resultOf(signal, stop, bought, sold)),
  });
  const sellAtTargets = (best: number, open: number) => {
    while (targets.length > 0 && best >= targets[0]) {
      sell(Math.max(open, targets[0]), held() / targets.length);
      targets = targets.slice(1);
      waiting = [];
    }
    return targets.length === 0 && signal.targets.length > 0;
  };
  let last = -1;
  for (let n = 0; n < candles.time.length; n++) {
    const time = candles.time[n];
    if (time < createdAt) continue;
    const isFirst = last < 0;
    last = n;
    const open = sign * candles.open[n];
    const [best, worst] = sign > 0 ? [candles.high[n], candles.low[n]] : [-candles.low[n], -candles.high[n]];
    const hadBought = bought.length > 0;
    if (hadBought && open <= stop) return (sell(open), ended('closed', time));
    if (cancelledAt !== null && time >= cancelledAt) {
      if (hadBought) sell(open);
      return ended(hadBought ? 'closed' : 'expired', time);
    }
    if (hadBought && sellAtTargets(open, open)) return ended('closed', time);
    if (!isFirst && entriesEndAt !== null && time >= entriesEndAt) waiting = [];
    if (!hadBought && waiting.length === 0) return ended('expired', time);
    if (!hadBought && (open <= stop || open >= targets[0])) return ended('missed', time);
    let isLater = false;
    for (const entry of waiting) {
      const { price, zoneEnd, percent } = entry;
      if (worst > price || best < zoneEnd) continue;
      const paid = Math.min(price, Math.max(zoneEnd, open));
      if (paid < open) isLater = true;
      bought.push({ price: paid, quantity: percent / Math.abs(paid) });
      waiting = waiting.filter((other) => other !== entry);
    }
    if (bought.length > 0 && worst <= stop) return (sell(stop), ended('closed', time));
    if (bought.length === 0 && (worst <= stop || best >= targets[0])) return ended('missed', time);
    if (bought.length > 0 && !isLater && sellAtTargets(best, open)) return ended('closed', time);
  }
  if (bought.length === 0) return ended('waiting', last < 0 ? null : candles.time[last]);
  sell(sign * candles.close[last]);
  return ended('open', candles.time[last]);
}

const quantityOf = (lots: readonly Lot[]): number => lots.reduce((sum, { quantity }) => sum + quantity, 0);

const valueOf = (lots: readonly Lot[]): number =>
  lots.reduce((sum, { quantity, price }) => sum + quantity * price, 0);

/** The figures of the purchases and sales, with prices of the opposite sign for a short. */
function resultOf(
  { leverage }: ReferenceSignal,
  stop: number,
  bought: readonly Lot[],
  sold: readonly Lot[],
): Pick<ReferenceOutcome, 'returnPercent' | 'r'> {
  const [paid, earned] = [valueOf(bought), valueOf(sold)];
  const fees = ((Math.abs(paid) + Math.abs(earned)) * referenceFeePercent) / 100;
  const profit = earned - paid - fees;
  const risk = paid - quantityOf(bought) * stop;
  return {
    returnPercent: ((100 * profit) / Math.abs(paid)) * leverage,
    r: Number.isFinite(risk) && risk > 0 ? profit / risk : null,
  };
}
