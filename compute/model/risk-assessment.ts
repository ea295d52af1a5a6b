/** How many closed 1h candles an assessment takes, of the coin and of the leading asset. */
export const neededCandles = 250;

export const tradeSides = ['long', 'short'] as const;

export type TradeSide = (typeof tradeSides)[number];

export type Direction = 'up' | 'down';

/** What a reading speaks for: which of two lines is above, say; neutral where they are equal. */
export type Standing = 'bullish' | 'bearish' | 'neutral';

export interface CrossLabels {
  trend: Direction | 'flat';
  signal: 'buy' | 'sell' | 'hold';
  momentum: 'rising' | 'falling' | 'flat' | 'overbought' | 'oversold';
}

export interface CrossReading<Results> {
  value: Standing;
  labels: CrossLabels;
  results: Results;
}

export const trendStrengths = ['weak', 'developing', 'strong', 'veryStrong', 'extreme'] as const;

export interface AdxReading {
  value: number;
  pdi: number;
  mdi: number;
  /** The rank of `trendStrength`, from 0. */
  strength: number;
  trendStrength: (typeof trendStrengths)[number];
  trendDirection: Direction | 'neutral';
}

export interface PsarReading {
  value: Direction;
  /** The stop in plain decimals. */
  psarValue: string;
}

export interface VolumeReading {
  /** Signed percent; `n/a` after a candle without volume. */
  value: string;
  currentVolume: number;
  previousVolume: number;
}

export interface VolumeAverageReading {
  label: 'low' | 'normal' | 'high' | 'extreme';
  /** Signed percent against the average; `n/a` where that is 0. */
  value: string;
  currentVolume: number;
  averageVolume: number;
  medianVolume: number;
  maxVolume: number;
  /** Two decimals; `n/a` for volume after none at all. */
  relativeVolume: string;
}

export interface VolumeSpreadReading {
  momentum: 'buying' | 'selling' | 'absorption' | 'noInterest' | 'neutral';
  spreadValue: 'wide' | 'narrow' | 'average';
  volumeValue: 'high' | 'low' | 'average';
  currentVolume: number;
}

export interface CandlestickReading {
  value: Direction | 'none';
  pattern: string;
  sentiment: Standing;
}

export type DayOfWeek = 'Weekday' | 'Weekend';

export type MarketSession = 'Asian' | 'Europe' | 'US';

export type RiskProfile = 'low' | 'moderate' | 'tooRisky';

/** One rule of the score: what was read, what it takes to count, and the points it gave, 0 if it does not hold. */
export interface RiskReason {
  rule: string;
  /** Null where the reading is a multiple of nothing. */
  value: number | string | null;
  threshold: string;
  points: number;
}

/** The risk of entering a trade on one side after the last closed 1h candle; numbers of 8 significant digits. */
export interface RiskAssessment {
  riskProfile: RiskProfile;
  /** The sum of all points. */
  score: number;
  /** Every rule, in a fixed order. */
  reasons: RiskReason[];
  adx: AdxReading;
  psar: PsarReading;
  btc: { psar: PsarReading };
  marketTrend: { value: 'bullish' | 'bearish' };
  rsiCross: CrossReading<{ rsi: number; rsiMovingAvg: number }>;
  macdCross: CrossReading<{ MACD: number; histogram: number; signalValue: number }>;
  emaCross: CrossReading<{ emaFast: number; emaSlow: number }>;
  volume: VolumeReading;
  volumeAverage: VolumeAverageReading;
  volumeSpread: VolumeSpreadReading;
  candlestick: CandlestickReading;
  dayOfWeek: DayOfWeek;
  marketSession: MarketSession;
}
