import Joi from 'joi';
import type {
  AdxReading,
  CandlestickReading,
  CrossLabels,
  CrossReading,
  PsarReading,
  RiskAssessment,
  RiskReason,
  VolumeAverageReading,
  VolumeReading,
  VolumeSpreadReading,
} from '../../compute/model/risk-assessment.js';

export interface AssessRiskOutput extends RiskAssessment {
  /** The market the candles come from. */
  source: string;
  /** Close time of the last candle, ISO 8601, UTC. */
  asOf: string;
}

const number = () => Joi.number().required();
const text = () => Joi.string().required();
const word = (...words: readonly string[]) => text().valid(...words);
const standing = ['bullish', 'bearish', 'neutral'];

const psar = Joi.object<PsarReading, true>({
  value: word('up', 'down'),
  psarValue: text().description('parabolic SAR as a decimal'),
}).required();

const cross = <Results>(results: Joi.ObjectSchema<Results>) =>
  Joi.object<CrossReading<Results>>({
    value: word(...standing),
    labels: Joi.object<CrossLabels, true>({
      trend: word('up', 'down', 'flat'),
      signal: word('buy', 'sell', 'hold'),
      momentum: word('rising', 'falling', 'flat', 'overbought', 'oversold'),
    }).required(),
    results: results.required(),
  }).required();

const reason = Joi.object<RiskReason>({
  rule: text(),
  value: Joi.alternatives(Joi.number(), Joi.string()).allow(null).required().description('what was read'),
  threshold: text().description('what it takes to count'),
  points: Joi.number().integer().min(0).max(2).required().description('0 where the rule does not hold'),
});

const adx = Joi.object<AdxReading, true>({
  value: number(),
  pdi: number(),
  mdi: number(),
  strength: Joi.number().integer().min(0).max(4).required().description('rank of trendStrength'),
  trendStrength: word('weak', 'developing', 'strong', 'veryStrong', 'extreme'),
  trendDirection: word('up', 'down', 'neutral'),
}).required();

const volume = Joi.object<VolumeReading, true>({
  value: text().description('signed percent, as in +12.34%; n/a after a candle without volume'),
  currentVolume: number(),
  previousVolume: number(),
}).required();

const volumeAverage = Joi.object<VolumeAverageReading, true>({
  label: word('low', 'normal', 'high', 'extreme'),
  value: text().description('signed percent against the average'),
  currentVolume: number(),
  averageVolume: number(),
  medianVolume: number(),
  maxVolume: number(),
  relativeVolume: text().description('current against average, two decimals'),
}).required();

const volumeSpread = Joi.object<VolumeSpreadReading, true>({
  momentum: word('buying', 'selling', 'absorption', 'noInterest', 'neutral'),
  spreadValue: word('wide', 'narrow', 'average'),
  volumeValue: word('high', 'low', 'average'),
  currentVolume: number(),
}).required();

const candlestick = Joi.object<CandlestickReading, true>({
  value: word('up', 'down', 'none'),
  pattern: text().description('name in words, or none'),
  sentiment: word(...standing),
}).required();

/** The shape of a risk assessment as it is answered. */
export const assessRiskOutput = Joi.object<AssessRiskOutput>({
  riskProfile: word('tooRisky', 'moderate', 'low').description('low up to a score of 4, moderate up to 8'),
  score: Joi.number().integer().min(0).required().description('sum of the points of all reasons'),
  reasons: Joi.array().items(reason).required().description('every rule of the score'),
  adx,
  psar,
  btc: Joi.object({ psar }).required().description('market trend from BTC/USDT'),
  marketTrend: Joi.object({ value: word('bullish', 'bearish') }).required(),
  rsiCross: cross(
    Joi.object<{ rsi: number; rsiMovingAvg: number }, true>({ rsi: number(), rsiMovingAvg: number() }),
  ),
  macdCross: cross(
    Joi.object<{ MACD: number; histogram: number; signalValue: number }, true>({
      MACD: number(),
      histogram: number(),
      signalValue: number(),
    }),
  ),
  emaCross: cross(
    Joi.object<{ emaFast: number; emaSlow: number }, true>({ emaFast: number(), emaSlow: number() }),
  ),
  volume,
  volumeAverage,
  volumeSpread,
  candlestick,
  dayOfWeek: word('Weekday', 'Weekend'),
  marketSession: word('Asian', 'US', 'Europe'),
  source: text().description('market the candles come from'),
  asOf: Joi.string().isoDate().required().description('close time of the last candle, ISO 8601, UTC'),
});
