import type Joi from 'joi';
import type { CrossLabels, CrossReading, RiskAssessment } from '../../../compute/model/risk-assessment.js';
import { figure, objectField, oneOf } from '../output-fields.js';

type Lines<Name extends 'rsiCross' | 'macdCross' | 'emaCross'> = RiskAssessment[Name]['results'];

export const standings = ['bullish', 'bearish', 'neutral'] as const;

/** Two lines that cross: which is above, in words and in figures. */
const cross = <Results>(
  description: string,
  { trend, momentum, results }: { trend: string; momentum: string; results: Joi.StrictSchemaMap<Results> },
) =>
  objectField<CrossReading<object>>(
    {
      value: oneOf(
        standings,
        'bullish where the first line is above the second, bearish below, neutral on it',
      ),
      labels: objectField<CrossLabels>(
        {
          trend: oneOf(['up', 'down', 'flat'], trend),
          signal: oneOf(['buy', 'sell', 'hold'], 'which way the lines crossed within the last three candles'),
          momentum: oneOf(['rising', 'falling', 'flat', 'overbought', 'oversold'], momentum),
        },
        'what the lines do, in words',
      ),
      results: objectField<Results>(results, 'the lines at the last candle'),
    },
    description,
  );

/** The crosses of a risk assessment, as they are answered. */
export const crossFields = {
  rsiCross: cross<Lines<'rsiCross'>>('RSI(14) against its own mean', {
    trend: 'which way the mean went over three candles; flat within 0.5 points',
    momentum: 'of RSI since the candle before; beyond 70 overbought, below 30 oversold',
    results: { rsi: figure('RSI(14)'), rsiMovingAvg: figure('its mean of 14 candles') },
  }),
  macdCross: cross<Lines<'macdCross'>>('MACD(12, 26, 9) against its signal line', {
    trend: 'up where MACD is above 0, down below',
    momentum: 'of the histogram since the candle before',
    results: {
      MACD: figure('MACD(12, 26), in quote currency'),
      histogram: figure('MACD less its signal line, in quote currency'),
      signalValue: figure('signal line, EMA(9) of MACD, in quote currency'),
    },
  }),
  emaCross: cross<Lines<'emaCross'>>('EMA(20) against EMA(50)', {
    trend: 'up where the close is above EMA(50), down below',
    momentum: 'of their distance in percent of the close, since the candle before',
    results: {
      emaFast: figure('EMA(20), in quote currency'),
      emaSlow: figure('EMA(50), in quote currency'),
    },
  }),
};
