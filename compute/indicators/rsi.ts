import { defineIndicator, type IndicatorStream } from '../model/indicator.js';

/** Share of upward movement in all movement, smoothed by Wilder's average; 0 to 100, and 0 without movement. */
export const rsi = defineIndicator({
  name: 'rsi',
  title: 'Relative Strength Index',
  formula: "100 - 100 / (1 + Wilder's average of gains / that of losses)",
  reading: 'above 70 overbought, below 30 oversold; in strong trends it stays there for long',
  kind: 'oscillator',
  reference: 'Wilder, New Concepts in Technical Trading Systems, 1978; as TA-Lib RSI',
  inputs: ['close'],
  outputs: ['rsi'],
  params: { period: { min: 2, max: 500, default: 14, title: 'Smoothing period in candles' } },
  warmup: ({ period }) => period,
  fill({ close }, { period }, { rsi }) {
    const { length } = close;
    if (length <= period) return;
    const share = 1 / period;
    const keep = 1 - share;
    let before = close[0];
    let gain = 0;
    let loss = 0;
    for (let i = 1; i <= period; i++) {
      const change = close[i] - before;
      before = close[i];
      gain += Math.max(change, 0) * share;
      loss += Math.max(-change, 0) * share;
    }
    rsi[period] = gain + loss > 0 ? (100 * gain) / (gain + loss) : 0;
    for (let i = period + 1; i < length; i++) {
      const price = close[i];
      // The direction is unpredictable: the larger of the change and 0 is computed without a branch.
      const change = (price - before) * 0.5;
      const size = Math.abs(change);
      before = price;
      gain = gain * keep + (size + change) * share;
      loss = loss * keep + (size - change) * share;
      const both = gain + loss;
      rsi[i] = both > 0 ? (100 * gain) / both : 0;
    }
  },
  stream: streamRsi,
});

/** The Relative Strength Index, candle by candle. */
function streamRsi({ period }: Readonly<{ period: number }>): IndicatorStream<'close', 'rsi'> {
  const share = 1 / period;
  const keep = 1 - share;
  const fresh = () => ({ index: -1, before: NaN, gain: 0, loss: 0 });
  const live = fresh();
  const step = (memory: typeof live, { close }: { close: number }) => {
    const index = ++memory.index;
    const { before } = memory;
    if (index > 0) {
      const kept = index <= period ? 1 : keep;
      memory.gain = memory.gain * kept + Math.max(close - before, 0) * share;
      memory.loss = memory.loss * kept + Math.max(before - close, 0) * share;
    }
    memory.before = close;
    const { gain, loss } = memory;
    const both = gain + loss;
    const strength = both > 0 ? (100 * gain) / both : 0;
    return { rsi: index < period ? NaN : strength };
  };
  return {
    next: (candle) => step(live, candle),
    peek: (candle) => step(Object.assign(fresh(), live), candle),
  };
}
