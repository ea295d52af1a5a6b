import { field, type Fields, type Value, type Values } from './field.js';
import { directions, standings } from './standing.js';

const labelsField = ({ trend, momentum }: { trend: string; momentum: string }) =>
  field.object('what the lines do, in words', {
    trend: field.choice(trend, [...directions, 'flat']),
    signal: field.choice('which way the lines crossed within the last three candles', [
      'buy',
      'sell',
      'hold',
    ]),
    momentum: field.choice(momentum, ['rising', 'falling', 'flat', 'overbought', 'oversold']),
  });

export type CrossLabels = Value<ReturnType<typeof labelsField>>;

/** A reading of two lines: which is above, their trend, signal, momentum and values. */
export const crossFields = <R extends Fields>({
  results,
  ...texts
}: {
  trend: string;
  momentum: string;
  results: R;
}) => ({
  value: field.choice(
    'bullish where the first line is above the second, bearish below, neutral on it',
    standings,
  ),
  labels: labelsField(texts),
  results: field.object('the lines at the last candle', results),
});

export const rsiCrossFields = crossFields({
  trend: 'which way the mean went over three candles; flat within 0.5 points',
  momentum: 'of RSI since the candle before; beyond 70 overbought, below 30 oversold',
  results: { rsi: field.number('RSI(14)'), rsiMovingAvg: field.number('its mean of 14 candles') },
});

export type RsiCross = Values<typeof rsiCrossFields>;

export const macdCrossFields = crossFields({
  trend: 'up where MACD is above 0, down below',
  momentum: 'of the histogram since the candle before',
  results: {
    MACD: field.number('MACD(12, 26)', { unit: 'quote' }),
    histogram: field.number('MACD less its signal line', { unit: 'quote' }),
    signalValue: field.number('signal line, EMA(9) of MACD', { unit: 'quote' }),
  },
});

export type MacdCross = Values<typeof macdCrossFields>;

export const emaCrossFields = crossFields({
  trend: 'up where the close is above EMA(50), down below',
  momentum: 'of their distance in percent of the close, since the candle before',
  results: {
    emaFast: field.number('EMA(20)', { unit: 'quote' }),
    emaSlow: field.number('EMA(50)', { unit: 'quote' }),
  },
});

export type EmaCross = Values<typeof emaCrossFields>;
