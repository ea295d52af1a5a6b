import { emaCrossFields, macdCrossFields, rsiCrossFields } from './cross-reading.js';
import { field, type Value, type Values } from './field.js';
import { directions, standings } from './standing.js';

export const volumeLabels = ['low', 'normal', 'high', 'extreme'] as const;

const currentVolume = field.number('volume of the last candle', { unit: 'base' });

const volume = field.object('volume against the candle before', {
  value: field.text(
    'change since the candle before in signed percent, as in +12.34%; n/a after one without volume',
  ),
  currentVolume,
  previousVolume: field.number('volume of the candle before', { unit: 'base' }),
});

export type VolumeReading = Value<typeof volume>;

const volumeAverage = field.object('volume against the 20 candles before', {
  label: field.choice('volume against the average, in a word', volumeLabels),
  value: field.text('signed percent against the average, as in +12.34%; n/a where that is 0'),
  currentVolume,
  averageVolume: field.number('mean of the 20 candles before', { unit: 'base' }),
  medianVolume: field.number('their median', { unit: 'base' }),
  maxVolume: field.number('their maximum', { unit: 'base' }),
  relativeVolume: field.text('current against average, two decimals; n/a for volume after none at all'),
});

export type VolumeAverageReading = Value<typeof volumeAverage>;

const volumeSpread = field.object('how far price went on the volume', {
  momentum: field.choice('what spread and volume together speak for', [
    'buying',
    'selling',
    'absorption',
    'noInterest',
    'neutral',
  ]),
  spreadValue: field.choice('high less low, against the 20 candles before', ['wide', 'narrow', 'average']),
  volumeValue: field.choice('volume against the 20 candles before', ['high', 'low', 'average']),
  currentVolume,
});

export type VolumeSpreadReading = Value<typeof volumeSpread>;

/** The volume of the last candle, compared in three ways. */
export const volumeReadingFields = { volume, volumeAverage, volumeSpread };

/** Closed 1h candles that an assessment needs, of the coin and of the leading asset. */
export const neededCandles = 250;

export const tradeSides = ['long', 'short'] as const;

export type TradeSide = (typeof tradeSides)[number];

export const trendStrengths = ['weak', 'developing', 'strong', 'veryStrong', 'extreme'] as const;

export const adxField = field.object('how strongly price trends', {
  value: field.number('ADX(14)'),
  pdi: field.number('positive directional index'),
  mdi: field.number('negative directional index'),
  strength: field.count('rank of trendStrength', { max: trendStrengths.length - 1 }),
  trendStrength: field.choice('below 20, 25, 50, 75, and from there on', trendStrengths),
  trendDirection: field.choice('which of the two indexes is above', [...directions, 'neutral']),
});

export type AdxReading = Value<typeof adxField>;

export const psarField = (text: string) =>
  field.object(text, {
    value: field.choice('side of the stop on which the candle closed; on it is down', directions),
    psarValue: field.text('parabolic SAR(0.02, 0.2) as a decimal', {
      pattern: /^-?\d+(\.\d+)?$/,
      patternName: 'a plain decimal',
    }),
  });

export type PsarReading = Value<ReturnType<typeof psarField>>;

const candlestick = field.object('the strongest candlestick pattern that ends with the last candle', {
  value: field.choice('which way the pattern points', [...directions, 'none']),
  pattern: field.text('name in words, or none'),
  sentiment: field.choice('what the pattern speaks for', standings),
});

export const daysOfWeek = ['Weekday', 'Weekend'] as const;

export type DayOfWeek = (typeof daysOfWeek)[number];

export const marketSessions = ['Asian', 'US', 'Europe'] as const;

export type MarketSession = (typeof marketSessions)[number];

export const riskProfiles = ['tooRisky', 'moderate', 'low'] as const;

export type RiskProfile = (typeof riskProfiles)[number];

const reason = field.object('one rule of the score', {
  rule: field.text('name of the rule'),
  value: field.nullable(
    field.union<number | string>(
      'what was read; null where it is a multiple of 0',
      field.number('a number'),
      field.text('a word'),
    ),
  ),
  threshold: field.text('what it takes to count'),
  points: field.count('0 where the rule does not hold', { max: 2 }),
});

export type RiskReason = Value<typeof reason>;

/** The risk of entering a trade on one side after the last closed 1h candle; numbers of 8 significant digits. */
export const riskAssessmentFields = {
  riskProfile: field.choice('low up to a score of 4, moderate up to 8', riskProfiles),
  score: field.count('sum of the points of all reasons'),
  reasons: field.list('every rule of the score', reason),
  adx: adxField,
  psar: psarField('parabolic stop of the asset'),
  btc: field.object('the leading market', { psar: psarField('parabolic stop of BTC/USDT') }),
  marketTrend: field.object('market trend from BTC/USDT', {
    value: field.choice('bullish where BTC/USDT is above its stop', ['bullish', 'bearish']),
  }),
  rsiCross: field.object('RSI(14) against its own mean', rsiCrossFields),
  macdCross: field.object('MACD(12, 26, 9) against its signal line', macdCrossFields),
  emaCross: field.object('EMA(20) against EMA(50)', emaCrossFields),
  ...volumeReadingFields,
  candlestick,
  dayOfWeek: field.choice('of asOf, in UTC', daysOfWeek),
  marketSession: field.choice('of asOf: Europe from 8, US from 14, Asian from 22 on, UTC', marketSessions),
};

export type RiskAssessment = Values<typeof riskAssessmentFields>;
