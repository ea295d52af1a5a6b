import type { Candles } from '../model/candles.js';
import type { VolumeAverageReading, VolumeReading, VolumeSpreadReading } from '../model/risk-assessment.js';

/** The last candle is compared with this many candles before it. */
const comparedCandles = 20;

/** A spread or volume is high above, and low below, these multiples of the average. */
const muchLimit = 1.5;
const littleLimit = 0.5;

/** The three readings of volume, and the unrounded multiple for the score. */
export interface VolumeReadings {
  volume: VolumeReading;
  volumeAverage: VolumeAverageReading;
  volumeSpread: VolumeSpreadReading;
  /** Volume of the last candle as a multiple of the mean of the 20 before; Infinity where only those are 0. */
  relativeVolume: number;
}

/** The volume of the last candle against the one before and the 20 before, with the spread of the candle. */
export function readVolume({ high, low, close, volume }: Candles): VolumeReadings {
  const last = close.length - 1;
  const currentVolume = volume[last];
  const previousVolume = volume[last - 1];
  const before = volume.slice(last - comparedCandles, last).sort();
  const averageVolume = mean(before);
  const relativeVolume = multipleOf(currentVolume, averageVolume);
  const spreads = before.map((_, n) => high[last - 1 - n] - low[last - 1 - n]);
  const spread = high[last] - low[last];
  const relativeSpread = multipleOf(spread, mean(spreads));
  const spreadValue = grade(relativeSpread, 'narrow', 'wide');
  const volumeValue = grade(relativeVolume, 'low', 'high');
  const momentum = momentumOf(spreadValue, volumeValue, close[last] - low[last], spread);
  return {
    volume: { value: signedPercent(currentVolume, previousVolume), currentVolume, previousVolume },
    volumeAverage: {
      label: labelOf(relativeVolume),
      value: signedPercent(currentVolume, averageVolume),
      currentVolume,
      averageVolume,
      medianVolume: (before[comparedCandles / 2 - 1] + before[comparedCandles / 2]) / 2,
      maxVolume: before[comparedCandles - 1],
      relativeVolume: Number.isFinite(relativeVolume) ? relativeVolume.toFixed(2) : 'n/a',
    },
    volumeSpread: { momentum, spreadValue, volumeValue, currentVolume },
    relativeVolume,
  };
}

const mean = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0) / values.length;

function labelOf(relativeVolume: number): VolumeAverageReading['label'] {
  if (relativeVolume < littleLimit) return 'low';
  if (relativeVolume < muchLimit) return 'normal';
  return relativeVolume < 3 ? 'high' : 'extreme';
}

function grade<Little extends string, Much extends string>(
  multiple: number,
  little: Little,
  much: Much,
): Little | Much | 'average' {
  if (multiple > muchLimit) return much;
  return multiple < littleLimit ? little : 'average';
}

/** The reading of spread and volume together; `rise` is the distance from the low to the close. */
function momentumOf(
  spreadValue: VolumeSpreadReading['spreadValue'],
  volumeValue: VolumeSpreadReading['volumeValue'],
  rise: number,
  spread: number,
): VolumeSpreadReading['momentum'] {
  if (volumeValue === 'low') return 'noInterest';
  if (volumeValue === 'average' || spreadValue === 'average') return 'neutral';
  if (spreadValue === 'narrow') return 'absorption';
  if (3 * rise >= 2 * spread) return 'buying';
  return 3 * rise <= spread ? 'selling' : 'neutral';
}

/** The value as a multiple of `base`. For a base of 0: 0 if the value is 0, otherwise Infinity. */
export function multipleOf(value: number, base: number): number {
  if (base > 0) return value / base;
  return value > 0 ? Infinity : 0;
}

/** The change from `base` in percent with a sign and two decimals, `+12.34%`; `0.00%` for none, `n/a` from 0. */
function signedPercent(value: number, base: number): string {
  if (base === 0) return 'n/a';
  const text = ((value / base - 1) * 100).toFixed(2);
  if (Number(text) === 0) return '0.00%';
  return `${text.startsWith('-') ? '' : '+'}${text}%`;
}
