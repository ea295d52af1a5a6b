import { createCandles, type Candles } from '../model/candles.js';
import type { DemoCandle } from './demo-asset-state.js';
import { hourMs, type DemoMarket } from './demo-market.js';

/**
 * The closed hours of the demo market from its next hour up to `nowMs`, one series per pair in the order of `pairs`. The
 * market then stands at the hour that is open at `nowMs`.
 */
export function makeDemoHistory(market: DemoMarket, nowMs: number): Candles[] {
  const fromMs = market.nextMs;
  const hours = Math.max(0, Math.floor((nowMs - fromMs) / hourMs));
  const history = market.pairs.map(() => createCandles(hours));
  for (let hour = 0; hour < hours; hour++) {
    market.advance().forEach((candle, index) => write(history[index], hour, fromMs + hour * hourMs, candle));
  }
  return history;
}

function write(
  candles: Candles,
  index: number,
  time: number,
  { open, high, low, close, volume }: DemoCandle,
): void {
  candles.time[index] = time;
  candles.open[index] = open;
  candles.high[index] = high;
  candles.low[index] = low;
  candles.close[index] = close;
  candles.volume[index] = volume;
}
