import Joi from 'joi';
import {
  trendStrengths,
  type AdxReading,
  type CandlestickReading,
  type PsarReading,
  type RiskAssessment,
  type RiskReason,
  type VolumeAverageReading,
  type VolumeReading,
  type VolumeSpreadReading,
} from '../../../compute/model/risk-assessment.js';
import { crossFields, standings } from './risk-cross-output.js';
import { count, date, figure, list, objectField, oneOf, text } from '../output-fields.js';

export interface AssessRiskOutput extends RiskAssessment {
  /** The market the candles come from. */
  source: string;
  /** Close time of the last candle, ISO 8601, UTC. */
  asOf: string;
}

const volumeNow = () => figure('volume of the last candle, in units of the asset');

const psar = (description: string) =>
  objectField<PsarReading>(
    {
      value: oneOf(['up', 'down'], 'side of the stop on which the candle closed; on it is down'),
      psarValue: text('parabolic SAR(0.02, 0.2) as a decimal').pattern(/^-?\d+(\.\d+)?$/, 'a plain decimal'),
    },
    description,
  );

const reason = Joi.object<RiskReason>({
  rule: text('name of the rule'),
  value: Joi.alternatives(Joi.number(), Joi.string()).allow(null).required().description('what was read'),
  threshold: text('what it takes to count'),
  points: count('0 where the rule does not hold').max(2),
});

const adx = objectField<AdxReading>(
  {
    value: figure('ADX(14)'),
    pdi: figure('positive directional index'),
    mdi: figure('negative directional index'),
    strength: count('rank of trendStrength').max(trendStrengths.length - 1),
    trendStrength: oneOf(trendStrengths, 'below 20, 25, 50, 75, and from there on'),
    trendDirection: oneOf(['up', 'down', 'neutral'], 'which of the two indexes is above'),
  },
  'how strongly price trends',
);

const volume = objectField<VolumeReading>(
  {
    value: text(
      'change since the candle before in signed percent, as in +12.34%; n/a after one without volume',
    ),
    currentVolume: volumeNow(),
    previousVolume: figure('volume of the candle before, in units of the asset'),
  },
  'volume against the candle before',
);

const volumeAverage = objectField<VolumeAverageReading>(
  {
    label: oneOf(['low', 'normal', 'high', 'extreme'], 'volume against the average, in a word'),
    value: text('signed percent against the average, as in +12.34%; n/a where that is 0'),
    currentVolume: volumeNow(),
    averageVolume: figure('mean of the 20 candles before, in units of the asset'),
    medianVolume: figure('their median, in units of the asset'),
    maxVolume: figure('their maximum, in units of the asset'),
    relativeVolume: text('current against average, two decimals; n/a for volume after none at all'),
  },
  'volume against the 20 candles before',
);

const volumeSpread = objectField<VolumeSpreadReading>(
  {
    momentum: oneOf(
      ['buying', 'selling', 'absorption', 'noInterest', 'neutral'],
      'what spread and volume together speak for',
    ),
    spreadValue: oneOf(['wide', 'narrow', 'average'], 'high less low, against the 20 candles before'),
    volumeValue: oneOf(['high', 'low', 'average'], 'volume against the 20 candles before'),
    currentVolume: volumeNow(),
  },
  'how far price went on the volume',
);

const candlestick = objectField<CandlestickReading>(
  {
    value: oneOf(['up', 'down', 'none'], 'which way the pattern points'),
    pattern: text('name in words, or none'),
    sentiment: oneOf(standings, 'what the pattern speaks for'),
  },
  'the strongest candlestick pattern that ends with the last candle',
);

/** The shape of a risk assessment as it is answered. */
export const assessRiskOutput = Joi.object<AssessRiskOutput>({
  riskProfile: oneOf(['tooRisky', 'moderate', 'low'], 'low up to a score of 4, moderate up to 8'),
  score: count('sum of the points of all reasons'),
  reasons: list(reason, 'every rule of the score'),
  adx,
  psar: psar('parabolic stop of the asset'),
  btc: objectField<RiskAssessment['btc']>({ psar: psar('parabolic stop of BTC/USDT') }, 'the leading market'),
  marketTrend: objectField<RiskAssessment['marketTrend']>(
    { value: oneOf(['bullish', 'bearish'], 'bullish where BTC/USDT is above its stop') },
    'market trend from BTC/USDT',
  ),
  ...crossFields,
  volume,
  volumeAverage,
  volumeSpread,
  candlestick,
  dayOfWeek: oneOf(['Weekday', 'Weekend'], 'of asOf, in UTC'),
  marketSession: oneOf(
    ['Asian', 'US', 'Europe'],
    'of asOf: Europe from 8, US from 14, Asian from 22 on, UTC',
  ),
  source: text('market the candles come from'),
  asOf: date('close time of the last candle, ISO 8601, UTC'),
});
