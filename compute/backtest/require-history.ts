import { AppError } from '../model/errors.js';
import type { Interval } from '../model/interval.js';
import type { Strategy } from '../model/strategy.js';

/** Throws `not_enough_history` unless `length` candles are enough for a first decision of the strategy. */
export function requireHistory<P extends string>(
  strategy: Strategy<P>,
  params: Readonly<Record<P, number>>,
  candles: number,
  interval: Interval,
): void {
  const needed = strategy.ready(params) + 1;
  if (candles >= needed) return;
  const message = `${strategy.name} needs ${needed} closed ${interval} candles, found ${candles}`;
  throw new AppError('not_enough_history', message, { details: { needed, found: candles } });
}
