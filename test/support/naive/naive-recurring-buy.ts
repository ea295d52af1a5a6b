import type { Candles } from '../../../compute/model/candles.js';

/**
 * Buys at the given moments, by walking over rows: on the first row at or after each, whose row before `isAllowed` (null:
 * always). The values of every row from the first buy on stand beside the money put in so far.
 */
export function naiveRecurringBuy(
  { time, open, close }: Candles,
  moments: readonly number[],
  amount: number,
  feePercent: number,
  isAllowed: ((rowBefore: number) => boolean) | null = null,
) {
  const rows = Array.from(time, (at, i) => ({ at, i, open: open[i], close: close[i] }));
  const orders = moments.flatMap((moment) => {
    const row = rows.find(({ at }) => at >= moment);
    return row && (!isAllowed || isAllowed(row.i - 1)) ? [row] : [];
  });
  const bought = (row: { open: number }) => (amount * (1 - feePercent / 100)) / row.open;
  const path = rows
    .filter(({ i }) => orders.length > 0 && i >= orders[0].i)
    .map((row) => {
      const until = orders.filter(({ i }) => i <= row.i);
      const quantity = until.reduce((sum, order) => sum + bought(order), 0);
      return { i: row.i, at: row.at, invested: amount * until.length, value: quantity * row.close };
    });
  // What the first money bought, per unit of money.
  const unitValues = path.map(({ i }) => (close[i] * bought(orders[0])) / amount);
  const falls = unitValues.map((value, n) => value / Math.max(1, ...unitValues.slice(0, n + 1)) - 1);
  const quantity = orders.reduce((sum, order) => sum + bought(order), 0);
  return {
    buys: orders.length,
    invested: amount * orders.length,
    quantity,
    averageCost: (amount * orders.length) / quantity,
    value: quantity * close[close.length - 1],
    worstAgainstInvestedPercent:
      100 * Math.min(0, ...path.map(({ value, invested }) => value / invested - 1)),
    maxDrawdownPercent: 100 * Math.min(0, ...falls),
  };
}
