import type { Candles } from '../../../compute/model/candles.js';
import type { ReferenceSignal } from '../../../compute/ledger/reference-outcome.js';

/** What one path of prices brings: null for a signal that nothing was bought of. */
export type PathProfit = { isOver: boolean; invested: number; profit: number; risk: number } | null;

interface Tick {
  price: number;
  /** When the candle of the tick opens. */
  time: number;
  isOpen: boolean;
}

/**
 * The profit of a signal on every path that whole-numbered candles leave open: each goes to its high or to its low first. A path
 * passes every whole number on its way, so each level is met by a tick; only an open may jump.
 */
export function tickOutcomes(signal: ReferenceSignal, candles: Candles, feePercent: number): PathProfit[] {
  const count = candles.time.length;
  return Array.from({ length: 2 ** count }, (_, choice) => {
    const ticks: Tick[] = [];
    for (let n = 0; n < count; n++) {
      const isHighFirst = ((choice >> n) & 1) === 1;
      const { open, high, low, close } = candles;
      const turns = isHighFirst ? [high[n], low[n]] : [low[n], high[n]];
      let price = open[n];
      ticks.push({ price, time: candles.time[n], isOpen: true });
      for (const end of [...turns, close[n]])
        while (price !== end) {
          price += Math.sign(end - price);
          ticks.push({ price, time: candles.time[n], isOpen: false });
        }
    }
    return walk(signal, ticks, feePercent);
  });
}

function walk(signal: ReferenceSignal, ticks: readonly Tick[], feePercent: number): PathProfit {
  const isLong = signal.side === 'long';
  const isBeyond = (price: number, level: number) => (isLong ? price >= level : price <= level);
  const isWorse = (price: number, level: number) => (isLong ? price <= level : price >= level);
  let [held, cost, risk, income, turnover] = [0, 0, 0, 0, 0];
  let targets = [...signal.targets];
  let entries = [...signal.entries];
  const firstTime = ticks.find(({ time }) => time >= signal.createdAt)?.time;
  const sell = (price: number, quantity: number) => {
    income += quantity * price;
    turnover += quantity * price;
    held -= quantity;
  };
  const result = (isOver: boolean): PathProfit => {
    if (cost === 0) return null;
    const profit = (isLong ? income - cost : cost - income) - (turnover * feePercent) / 100;
    return { isOver, invested: cost, profit, risk };
  };
  let last = 0;
  for (const { price, time, isOpen } of ticks) {
    if (time < signal.createdAt) continue;
    last = price;
    const hasBought = cost > 0;
    const isAtStop = signal.stopLoss !== null && isWorse(price, signal.stopLoss);
    const isCancelled = isOpen && signal.cancelledAt !== null && time >= signal.cancelledAt;
    if (hasBought && (isAtStop || isCancelled)) {
      sell(price, held);
      return result(true);
    }
    if (isCancelled || (!hasBought && (isAtStop || (targets.length > 0 && isBeyond(price, targets[0])))))
      return null;
    while (hasBought && targets.length > 0 && isBeyond(price, targets[0])) {
      sell(price, held / targets.length);
      targets = targets.slice(1);
      entries = [];
      if (targets.length === 0) return result(true);
    }
    if (isOpen && time !== firstTime && signal.entriesEndAt !== null && time >= signal.entriesEndAt)
      entries = [];
    for (const entry of entries) {
      const isInZone =
        isWorse(price, entry.price) && (entry.zoneEnd === null || isBeyond(price, entry.zoneEnd));
      if (!isInZone) continue;
      const quantity = entry.percent / price;
      held += quantity;
      cost += entry.percent;
      turnover += entry.percent;
      if (signal.stopLoss !== null) risk += quantity * Math.abs(price - signal.stopLoss);
      entries = entries.filter((other) => other !== entry);
    }
  }
  sell(last, held);
  return result(false);
}
