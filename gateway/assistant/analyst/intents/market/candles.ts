import type { closedCandles } from '../../../../operations/analysis/closed-candles.js';
import { writePrice } from '../../format.js';
import { decidedArgs } from '../../decided-args.js';
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
    'give me the raw bars for {asset}',
    'pull {count} bars of {asset}',
    'i need the {interval} price history of {asset}',
    'how did the last {interval} candle of {asset} close',
    'print the last bars of {asset}',
    'daily closes of {asset}',
    'klines for {asset}',
    'what range did {asset} trade in yesterday',
    'where did {asset} open today',
    '{asset} closing prices for the past {windowHours}',
    'last {windowHours} of {asset} price data',
    '{asset} closes of the last {windowHours}',
    'export {candles} {interval} bars of {asset}',
    '{candles} candles of {asset} before {date}',
    '{asset} candles {interval} last {candles}',
    'daily data for {asset} over {windowHours}',
    'what were high and low of {asset} on the last {interval} candle',
    'numbers of the last {candles} candles of {asset}',
    'give me {candles} rows of {asset}',
    'opens and closes of {asset}',
  ],
  needs: { asset: 'Which asset do you mean?' },
  takes: ['interval', 'tradeMarket', 'count', 'candles', 'windowHours', 'period', 'isToday', 'date'],
  args: (slots) =>
    decidedArgs({
      ...seriesArgs(slots),
      ...(isOfHours(slots) ? { interval: '1h' } : {}),
      limit: atMost(500, askedCandles(slots)),
      end_time: slots.windowHours === undefined ? slots.date : undefined,
    }),
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

/** "The last 500 hours" are hourly candles. */
const isOfHours = ({ interval, candles, windowHours = 0 }: Slots): boolean =>
  interval === undefined && candles === undefined && windowHours % 24 !== 0;

/** As many candles as are asked for, by their number or by the span of time that they cover. */
function askedCandles({ candles, count, windowHours, interval = '1d' }: Slots): number {
  if (candles !== undefined || count !== undefined) return candles ?? count ?? 1;
  return windowHours === undefined ? 5 : heldCandles(windowHours, windowHours % 24 === 0 ? interval : '1h');
}
