import type { Answered } from '../../answered.js';
import { writeNumber, writePrice } from '../../format.js';
import { defineIntent } from '../../intent.js';
import { seriesArgs } from '../../market-args.js';
import { awayFrom, inQuote, writeVolume } from '../../market-words.js';

type Volume = Answered<'volume'>;

export const volumeReadingIntent = defineIntent<Volume>({
  name: 'volume-reading',
  title: 'volume: against its average, money flow, VWAP and the prices with most volume',
  tool: 'get_volume_reading',
  phrases: [
    'volume of {asset}',
    'is the volume of {asset} high',
    'how is {asset} volume compared to average on {interval}',
    'relative volume {asset}',
    'does volume confirm the move of {asset}',
    'vwap of {asset}',
    'point of control for {asset}',
    'value area of {asset} on {interval}',
    'is there buying pressure in {asset}',
    'money flow of {asset}',
    'is anyone trading {asset}',
    'volume profile of {asset}',
    'is {asset} trading more than usual',
    'volume reading for {asset} on {interval}',
    'is volume on {asset} drying up',
    'is money flowing into {asset}',
    'is the move of {asset} backed by volume',
    'are buyers or sellers in control of {asset}',
    'is interest in {asset} rising',
    'at which prices was most {asset} traded',
    'is there real volume behind the move of {asset}',
    'is anybody buying {asset}',
    'how busy is {asset}',
    'how liquid is {asset}',
    'who is in charge in {asset} buyers or sellers',
    'how much {asset} changed hands',
    'is the volume in {asset} picking up',
    'is smart money buying {asset}',
    'are people unloading {asset}',
    'is money leaving {asset}',
    'did the breakout of {asset} come with volume',
    'is the rally of {asset} on thin volume',
    'are there any buyers left in {asset}',
    'is there interest in {asset}',
    'is big money going into {asset}',
    'how heavy is trading in {asset}',
    'is there demand for {asset}',
    'how active is {asset}',
    'value area of {asset}',
    'how far is {asset} from its {indicator}',
    'trading activity in {asset}',
    '{indicator} slope of {asset}',
    'is volume of {asset} above average',
    'volume picture of {asset}',
    'relative volume of {asset} today',
    'how is the volume on {asset}',
    'how much is {asset} being traded lately',
    'at what price was most of the {asset} volume traded',
    'is volume confirming the breakout of {asset}',
    'is {asset} bought or sold',
  ],
  needs: { asset: 'Which asset do you mean?' },
  takes: ['interval', 'tradeMarket'],
  yields: ['indicator-values'],
  args: seriesArgs,
  answer: (payload) => {
    const { asset, interval, volumeAverage } = payload;
    const { label, currentVolume, averageVolume, relativeVolume } = volumeAverage;
    return {
      lead: `The volume of the last ${interval} candle of ${asset} is ${label}: ${writeVolume(currentVolume)} ${asset} against an average of ${writeVolume(averageVolume)}${relativeVolume === 'n/a' ? '' : `, which is ${relativeVolume} times as much`}.`,
      figures: [...flowWords(payload), ...priceWords(payload)],
      caveat: caveatWords(payload),
    };
  },
});

function flowWords({ obv, mfi, volumeSpread }: Volume): string[] {
  const spread = {
    buying: 'buying',
    selling: 'selling',
    absorption: 'absorption',
    noInterest: 'no interest',
  };
  const { momentum } = volumeSpread;
  return [
    `On balance volume is ${obv.direction}${mfi.value === null ? '' : `, and the money flow index is ${writeNumber(mfi.value)} (${mfi.zone})`}${momentum === 'neutral' ? '' : `; spread and volume of the last candle speak for ${spread[momentum]}`}.`,
  ];
}

function priceWords({ vwap: { rolling }, valueArea, tradeMarket }: Volume): string[] {
  const distance = rolling?.distancePercent ?? null;
  return [
    ...(rolling && distance !== null
      ? [
          `The close is ${awayFrom(distance)} the average price by volume, ${inQuote(rolling.value, tradeMarket)}.`,
        ]
      : []),
    ...(valueArea
      ? [
          `Most was traded around ${inQuote(valueArea.poc, tradeMarket)}; the value area reaches from ${writePrice(valueArea.val)} to ${writePrice(valueArea.vah)}, and the close is ${valueArea.position} it.`,
        ]
      : []),
  ];
}

function caveatWords({ obv }: Volume): string {
  if (obv.agreement === 'contradicts')
    return `Volume contradicts the price: price is ${obv.priceDirection}, on balance volume ${obv.direction}.`;
  return obv.agreement === 'confirms'
    ? 'Volume confirms the direction of the price.'
    : 'Volume neither confirms nor contradicts the price here.';
}
