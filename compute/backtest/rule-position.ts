import { order } from '../rules/screen-condition.js';
import type { RuleDecisions } from '../rules/decide-rules.js';
import type { RuleDistance, SideRules } from '../rules/strategy-rules.js';
import type { Costs } from './engine.js';

export const exitReasons = [
  'signal',
  'time',
  'stopLoss',
  'trailingStop',
  'takeProfit',
  'liquidation',
  'end',
] as const;

export type ExitReason = (typeof exitReasons)[number];

/** An open position. Levels at 0 or below are never touched. */
export interface RulePosition {
  /** 1: long; -1: short. */
  way: number;
  /** Index of the candle of the entry. */
  entry: number;
  entryPrice: number;
  quantity: number;
  /** What it took from the account, the fee included. */
  cost: number;
  stop: number;
  target: number;
  /** Where a short has lost its collateral; 0 for a long. */
  liquidation: number;
  /** The distance of the trailing stop: a share of the best price where `trailsShare`, else in quote; 0: none. */
  trail: number;
  trailsShare: boolean;
  /** The best price from which on the trailing stop holds. */
  trailsFrom: number;
  /** The best price of the candles before. */
  best: number;
  /** A candle with its low above and its high below these touches no level, however prices are rounded. */
  quietLow: number;
  quietHigh: number;
  /** What a short has paid for being open. */
  carry: number;
}

/** The levels of an entry at `entryPrice`, which was decided on the candle `signal`. */
export function ruleLevels(
  { stopLoss, takeProfit, trailingStop }: SideRules,
  way: number,
  entryPrice: number,
  { atr }: Pick<RuleDecisions, 'atr'>,
  signal: number,
): Pick<RulePosition, 'stop' | 'target' | 'liquidation' | 'trail' | 'trailsShare' | 'trailsFrom'> {
  const inQuote = (distance: RuleDistance, value = distance.value) =>
    distance.unit === 'atr' ? value * atr[distance.period][signal] : (entryPrice * value) / 100;
  const risk = stopLoss ? inQuote(stopLoss) : 0;
  const gain = takeProfit ? (takeProfit.unit === 'r' ? takeProfit.value * risk : inQuote(takeProfit)) : 0;
  const trailsShare = trailingStop?.unit === 'percent';
  return {
    stop: stopLoss ? Math.max(0, entryPrice - way * risk) : 0,
    target: takeProfit ? entryPrice + way * gain : 0,
    liquidation: way < 0 ? 2 * entryPrice : 0,
    trail: trailingStop ? (trailsShare ? trailingStop.value / 100 : inQuote(trailingStop)) : 0,
    trailsShare,
    trailsFrom: trailingStop ? entryPrice + way * inQuote(trailingStop, trailingStop.after) : 0,
  };
}

/** Above the rounding of `order`. */
const margin = 1e-8;

/** Sets the range of prices that touches no level: at the entry, and when the trailing stop moves. */
export function setQuietRange(position: RulePosition): void {
  const { way, stop, target, liquidation } = position;
  const trailing = trailingLevel(position);
  if (way > 0) {
    position.quietLow = Math.max(stop, trailing) * (1 + margin);
    position.quietHigh = target > 0 ? target * (1 - margin) : Infinity;
  } else {
    const levels = [stop, trailing, liquidation].filter((level) => level > 0);
    position.quietHigh = Math.min(...levels) * (1 - margin);
    position.quietLow = target > 0 ? target * (1 + margin) : 0;
  }
}

/** Takes the best price of a candle that has passed, which moves a trailing stop. */
export function followBest(position: RulePosition, high: number, low: number): void {
  if (position.trailsFrom === 0) return;
  const best = position.way > 0 ? Math.max(position.best, high) : Math.min(position.best, low);
  if (best === position.best) return;
  position.best = best;
  setQuietRange(position);
}

/** An exit within a candle: its price before slippage, and whether that has any. */
export interface LevelExit {
  price: number;
  reason: ExitReason;
  slips: boolean;
}

/**
 * The exit of a position within a candle; null where no level is touched. A candle does not say which of its prices came
 * first, so the stop is assumed to be before the target; it fills at the open where that is beyond it. A target is a resting
 * order: it fills at its price over a gap, too.
 */
export function exitWithin(
  position: RulePosition,
  open: number,
  high: number,
  low: number,
): LevelExit | null {
  const { way, liquidation, target } = position;
  const [worst, best] = way > 0 ? [low, high] : [high, low];
  const trailing = trailingLevel(position);
  const isTrailing = trailing > 0 && (position.stop <= 0 || way * order(trailing, position.stop) > 0);
  const stop = isTrailing ? trailing : position.stop;
  if (way < 0 && isReached(open, high, liquidation, stop))
    return { price: liquidation, reason: 'liquidation', slips: false };
  if (stop > 0 && way * order(worst, stop) <= 0) {
    const price = way * order(open, stop) < 0 ? open : stop;
    return { price, reason: isTrailing ? 'trailingStop' : 'stopLoss', slips: true };
  }
  if (target > 0 && way * order(best, target) >= 0)
    return { price: target, reason: 'takeProfit', slips: false };
  return null;
}

/** Whether a short is liquidated: from its open on, or later where no stop comes before. */
const isReached = (open: number, high: number, liquidation: number, stop: number): boolean =>
  order(open, liquidation) >= 0 ||
  (order(high, liquidation) >= 0 && !(stop > 0 && order(stop, liquidation) < 0));

/** The level of the trailing stop; 0 where there is none yet. */
function trailingLevel({ way, trail, trailsShare, trailsFrom, best }: RulePosition): number {
  if (trailsFrom === 0 || way * order(best, trailsFrom) < 0) return 0;
  return trailsShare ? best * (1 - way * trail) : best - way * trail;
}

/** What a position brings back at a price that it is closed at. */
export function broughtBack(
  { way, quantity, entryPrice, carry }: RulePosition,
  exitPrice: number,
  { feeRate }: Pick<Costs, 'feeRate'>,
): number {
  const value = quantity * exitPrice;
  if (way > 0) return value * (1 - feeRate);
  return Math.max(0, quantity * (2 * entryPrice - exitPrice) - value * feeRate - carry);
}

/** What a position is worth at a price. */
export const worthAt = ({ way, quantity, entryPrice, carry }: RulePosition, price: number): number =>
  way > 0 ? quantity * price : Math.max(0, quantity * (2 * entryPrice - price) - carry);
