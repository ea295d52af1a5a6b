import type { Strategy } from '../strategy.js';
import { buyAndHold } from './buy-and-hold.js';
import { emaCross } from './ema-cross.js';
import { trendState } from './trend-state.js';

/** Every strategy, in the order of the alphabet. */
export const strategies = [buyAndHold, emaCross, trendState] as const;

export type StrategyName = 'buy_and_hold' | 'ema_cross' | 'trend_state';

/** The strategy of that name. */
export function strategyNamed(name: StrategyName): Strategy<string> {
  return strategies.find((strategy) => strategy.name === name) as Strategy<string>;
}
