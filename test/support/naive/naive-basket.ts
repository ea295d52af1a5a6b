import type { Candles } from '../../../compute/model/candles.js';

export const dayMs = 86_400_000;

/** Day by day what one unit of money in fixed shares becomes, on the days that every series has. */
export function naiveBasket(series: readonly Candles[], shares: readonly number[], firstMs = -Infinity) {
  const byTime = series.map(({ time, close }) => new Map(Array.from(time, (each, i) => [each, close[i]])));
  const days = [...byTime[0].keys()].filter(
    (day) => day >= firstMs && byTime.every((closes) => closes.has(day)),
  );
  const worth = [1];
  days.slice(1).forEach((day, i) => {
    const grown = byTime.map((closes, m) => (shares[m] * closes.get(day)!) / closes.get(days[i])!);
    worth.push(worth[i] * grown.reduce((a, b) => a + b, 0));
  });
  return { days, worth };
}

/** Returns over so many days, where each day in between is there. */
export function naiveReturns({ days, worth }: ReturnType<typeof naiveBasket>, over: number): number[] {
  const worthOn = new Map(days.map((day, i) => [day, worth[i]]));
  const isWhole = (day: number) =>
    Array.from({ length: over + 1 }, (_, n) => day + n * dayMs).every((each) => worthOn.has(each));
  return days.filter(isWhole).map((day) => worthOn.get(day + over * dayMs)! / worthOn.get(day)! - 1);
}
