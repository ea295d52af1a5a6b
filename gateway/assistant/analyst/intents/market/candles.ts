import type { closedCandles } from '../../../../operations/analysis/closed-candles.js';
import { writePrice } from '../../format.js';
import { defineIntent } from '../../intent.js';
import { atMost, heldCandles, seriesArgs } from '../../market-args.js';
import { inQuote, joined, ofCandle, writeVolume } from '../../market-words.js';
import type { OutputOf } from '../../output-of.js';
import type { Slots } from '../../slots.js';

type Read = OutputOf<typeof closedCandles>;

/** More closes than these are hard to read as prose. */
const mostTold = 6;

export const candlesIntent = defineIntent<Read>({
  name: 'candles',
  title: 'the last closed candles of an asset: open, high, low, close and volume',
  tool: 'get_candles',
  phrases: [
    'candles of {asset}',
    'last {candles} candles of {asset} on {interval}',
    'ohlc of {asset}',
    'open high low close for {asset}',
    'show me the {interval} candles of {asset}',
    'what was the high and low of {asset} on the last candle',
    'latest closes of {asset}',
    'price data of {asset} on {interval}',
    'raw candles {asset}',
    'ohlcv {asset} {interval}',
    'yesterdays high and low of {asset}',
    'raw candles of {asset} on {interval}',
    'open high low and close of {asset} for the past {windowHours}',
  ],
  needs: { asset: 'Which asset do you mean?' },
  takes: ['interval', 'tradeMarket', 'count', 'candles', 'windowHours'],
  args: (slots) => ({ ...seriesArgs(slots), limit: atMost(500, askedCandles(slots)) }),
  answer: ({ asset, interval, tradeMarket, candles }) => {
    const last = candles.at(-1);
    if (!last) return { lead: `There are no closed ${interval} candles of ${asset}.` };
    const earlier = candles.slice(0, -1).slice(-mostTold).reverse();
    return {
      lead: `The last closed ${interval} candle of ${asset}, of ${ofCandle(last.time, interval)}, closed at ${inQuote(last.close, tradeMarket)}.`,
      figures: [
        `It opened at ${writePrice(last.open)}, with a high of ${writePrice(last.high)}, a low of ${writePrice(last.low)} and a volume of ${writeVolume(last.volume)} ${asset}.`,
        ...(earlier.length > 0
          ? [
              `The closes before it, the newest first: ${joined(earlier.map(({ close }) => writePrice(close)))}.`,
            ]
          : []),
      ],
    };
  },
});

/** As many candles as are asked for, by their number or by the span of time that they cover. */
function askedCandles({ candles, count, windowHours, interval = '1d' }: Slots): number {
  if (candles !== undefined || count !== undefined) return candles ?? count ?? 1;
  return windowHours === undefined ? 5 : heldCandles(windowHours, interval);
}
