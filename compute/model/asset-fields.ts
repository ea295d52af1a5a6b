import { field, type Field } from './field.js';
import { intervals } from './interval.js';

/** The asset that others are compared with. */
export const leadingAsset = 'BTC';

/** The longest name of an asset, in characters. */
const nameLength = 40;

export const assetField = field.text('asset symbol', {
  maxLength: nameLength,
  means: 'asset',
  example: 'BTC',
});

export const tradeMarketField = field.text('quote currency', {
  maxLength: 20,
  means: 'quote',
  default: 'USDT',
});

export const intervalField = field.choice('length of a candle', intervals, { default: '1d' });

/** The fields that name the candles of one pair on one interval. */
export const seriesFields = { asset: assetField, interval: intervalField, tradeMarket: tradeMarketField };

/** A list of different assets. The answer keeps their order. */
export const assetList = (text: string, { min, max }: { min: number; max: number }): Field<string[]> =>
  field.list(text, assetField, { min, max, isUnique: true, example: ['BTC', 'ETH'].slice(0, max) });
