import type { Answered } from '../../answered.js';
import { writeNumber } from '../../format.js';
import { defineIntent } from '../../intent.js';
import { atMost, marketArgs, withinArgs } from '../../market-args.js';
import { counted, joined, ofCandle, signed } from '../../market-words.js';

type Unusual = Answered<'anomalies'>;

const mostNamed = 4;

export const anomaliesIntent = defineIntent<Unusual>({
  name: 'anomalies',
  title: 'unusual candles: returns or volumes far from what an asset usually does',
  tool: 'scan_anomalies',
  phrases: [
    'anything unusual in the market',
    'unusual volume',
    'volume spikes on {interval}',
    'which coins behave strangely',
    'anomalies in the last {windowHours}',
    'scan for anomalies',
    'outliers today',
    'abnormal moves on {interval}',
    'weird candles',
    'which assets have unusual returns',
    'any sudden moves',
    'is something strange going on',
    'spot outliers in the market',
    'moves beyond several standard deviations',
    'what is out of the ordinary',
    'which coins had abnormal volume today',
    'anything strange in the volumes today',
    'did anything spike',
    'odd moves today',
    'anything freaky going on',
    'which coins are acting up',
    'who behaves oddly today',
    'any red flags in the market data',
    'crazy candles lately',
    'sudden jumps or drops out of nowhere',
    'something fishy in the tape',
    'what stands out today',
    'unusual activity on {interval}',
    'did any coin do something extraordinary',
    'has anything odd happened',
    'anything odd happening today',
    'did any coin make an abnormal move',
    'any {minZ} events in the market',
    'coins moving more than {minZ}',
    'moves bigger than {minZ}',
    'outliers with {minZ}',
    'scores above {minZ} in the market',
    'anomalies above {minZ} on {interval}',
    'moves beyond {minZ} across the market',
    '{minZ} moves in the last {candles} candles',
    'freak candles today',
    'outliers in the last {candles} candles',
    'only above {minZ}',
    'which coins have volume way above normal',
  ],
  needs: {},
  takes: ['interval', 'tradeMarket', 'windowHours', 'candles', 'count', 'minZ', 'period', 'isToday', 'date'],
  args: ({ windowHours, candles, count, minZ, ...slots }) => ({
    ...marketArgs(slots),
    ...withinArgs(48, { candles, windowHours, interval: slots.interval }),
    ...(minZ === undefined ? {} : { min_z: minZ }),
    ...(count === undefined ? {} : { limit: atMost(100, count) }),
  }),
  answer: (payload) => {
    const { interval, assets, found, rows } = payload;
    const [first, ...others] = rows.slice(0, mostNamed).map((row) => rowWords(row, interval));
    return {
      lead: first
        ? `${counted(found, 'candle')} on ${interval} ${found === 1 ? 'is' : 'are'} unusual among ${counted(assets, 'asset')}, ${found === 1 ? 'that' : 'the furthest that'} of ${first}.`
        : `No candle on ${interval} is unusual among ${counted(assets, 'asset')}.`,
      figures: others.length > 0 ? [`Then come ${others.join('; ')}.`] : [],
      caveat: chanceWords(payload),
    };
  },
});

function rowWords(
  { asset, time, unusual, returnPercent, returnZ, volumeZ, afterGap }: Unusual['rows'][number],
  interval: string,
): string {
  const words = [
    ...(unusual.includes('return') && returnPercent !== null && returnZ !== null
      ? [`a return of ${signed(returnPercent)} (z-score ${writeNumber(returnZ, 2)})`]
      : []),
    ...(unusual.includes('volume') && volumeZ !== null
      ? [`an unusually ${volumeZ > 0 ? 'high' : 'low'} volume (z-score ${writeNumber(volumeZ, 2)})`]
      : []),
  ];
  return `${asset} on ${ofCandle(time, interval)} with ${joined(words)}${afterGap ? ' after a gap' : ''}`;
}

const chanceWords = ({ measured, beyond, expectedIfNormal }: Unusual): string =>
  `The limit is passed by ${beyond} of ${counted(measured, 'z-score')}; if all were normally distributed, chance alone would bring about ${writeNumber(expectedIfNormal, 2)}.`;
