import type { Strategy } from '../model/strategy.js';
import { bollingerReversion } from './bollinger-reversion.js';
import { buyAndHold } from './buy-and-hold.js';
import { donchianBreakout } from './donchian-breakout.js';
import { emaCross } from './ema-cross.js';
import { macdCross } from './macd-cross.js';
import { rsiReversal } from './rsi-reversal.js';
import { supertrendStrategy } from './supertrend.js';
import { trendState } from './trend-state.js';

/** Every strategy, in alphabetical order of the names. */
export const strategies = [
  bollingerReversion,
  buyAndHold,
  donchianBreakout,
  emaCross,
  macdCross,
  rsiReversal,
  supertrendStrategy,
  trendState,
] as const;

export const strategyNames = [
  'bollinger_reversion',
  'buy_and_hold',
  'donchian_breakout',
  'ema_cross',
  'macd_cross',
  'rsi_reversal',
  'supertrend',
  'trend_state',
] as const;

export type StrategyName = (typeof strategyNames)[number];

/** The strategy with this name. */
export function strategyNamed(name: StrategyName): Strategy<string> {
  return strategies.find((strategy) => strategy.name === name) as Strategy<string>;
}
