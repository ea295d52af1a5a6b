import { field, type Value } from './field.js';

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
