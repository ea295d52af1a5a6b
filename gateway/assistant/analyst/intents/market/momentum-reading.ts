import type { Answered } from '../../answered.js';
import { writeNumber } from '../../format.js';
import { defineIntent } from '../../intent.js';
import { seriesArgs } from '../../market-args.js';
import { counted, lengthInWords, joined, sentence } from '../../market-words.js';

type Momentum = Answered<'momentum'>;

const oscillators = ['rsi', 'macd', 'stochastic', 'cci'] as const;

const titles = { rsi: 'RSI', macd: 'MACD', stochastic: 'Stochastic', cci: 'CCI' } as const;

export const momentumReadingIntent = defineIntent<Momentum>({
  name: 'momentum-reading',
  title: 'momentum: RSI, MACD, Stochastic and CCI in words, overbought or oversold',
  tool: 'get_momentum_reading',
  phrases: [
    'momentum of {asset}',
    'is {asset} overbought',
    'is {asset} oversold on {interval}',
    'momentum reading for {asset}',
    'has {asset} lost momentum',
    'are the oscillators of {asset} overbought or oversold',
    'how is the momentum on {asset} {interval}',
    'is momentum rising or falling for {asset}',
    'oscillators of {asset}',
    'is {asset} overextended',
    'is {asset} too hot',
    'is {asset} losing steam',
    'is {asset} running hot',
    'has the move in {asset} run out of steam',
    'gaining or losing momentum {asset}',
    'is {asset} overheated',
    'is {asset} exhausted',
    'is {asset} overstretched',
    'is {asset} cooling off',
    'is the buying in {asset} fading',
    'is {asset} running out of gas',
    'is the rally in {asset} getting tired',
    'does {asset} have any push left',
    'is {asset} stretched',
    'has {asset} gone too far too fast',
    'is {asset} due for a pullback',
    'is the selling in {asset} drying up',
    'is the bounce in {asset} losing force',
    'how much strength is left in {asset}',
    'is {asset} speeding up or slowing down',
    'is {asset} getting weaker',
    'is {asset} washed out',
    'is {asset} overcooked',
    'is {asset} overdone',
    'when did the {indicator} of {asset} last cross',
    'is {asset} picking up momentum',
    'momentum check {asset}',
    'how overbought is {asset} compared with its history',
    'are the oscillators on {asset} stretched',
    'momentum depth of {asset}',
    'is {asset} gaining strength',
    'macd cross on {asset}',
    'is there any momentum left in {asset}',
  ],
  needs: { asset: 'Which asset do you mean?' },
  takes: ['interval', 'tradeMarket'],
  yields: ['indicator-values'],
  args: seriesArgs,
  answer: (payload) => {
    const { asset, interval, rsi, macd } = payload;
    return {
      lead: `${asset} is ${zoneWords(payload)} on ${interval}: RSI is ${writeNumber(rsi.results.rsi)}, ${rsi.labels.momentum === 'flat' ? 'flat' : `${wayOf(rsi.value)} its average of ${writeNumber(rsi.results.rsiMovingAvg)}`}.`,
      figures: [
        `MACD is ${wayOf(macd.value)} its signal line${crossWords(macd.lastCross)}; Stochastic %K is ${writeNumber(payload.stochastic.results.k)} and CCI ${writeNumber(payload.cci.results.cci)}.`,
        ...rankWords(payload),
      ],
      caveat: caveatWords(payload),
    };
  },
});

const inZone = (payload: Momentum, zone: string) => oscillators.filter((name) => payload[name].zone === zone);

function zoneWords(payload: Momentum): string {
  const [hot, cold] = [inZone(payload, 'overbought'), inZone(payload, 'oversold')];
  const all = (names: typeof hot) => names.map((name) => titles[name]);
  if (hot.length === 0 && cold.length === 0) return 'neither overbought nor oversold';
  const words = [
    ...(hot.length > 0 ? [`overbought by ${joined(all(hot))}`] : []),
    ...(cold.length > 0 ? [`oversold by ${joined(all(cold))}`] : []),
  ];
  return joined(words);
}

const wayOf = (value: 'bullish' | 'bearish' | 'neutral'): string =>
  ({ bullish: 'above', bearish: 'below', neutral: 'on' })[value];

function crossWords(cross: Momentum['macd']['lastCross']): string {
  if (!cross) return '';
  return cross.candlesAgo === 0
    ? `, which it crossed with the last candle`
    : `, which it crossed ${cross.way === 'up' ? 'upwards' : 'downwards'} ${counted(cross.candlesAgo, 'candle')} ago`;
}

const rankWords = ({ rsi: { percentile, percentileCandles } }: Momentum): string[] =>
  percentile === null
    ? []
    : [
        `This RSI is at percentile ${writeNumber(percentile)} of its last ${counted(percentileCandles, 'candle')}.`,
      ];

function caveatWords(payload: Momentum): string {
  const bullish = oscillators.filter((name) => payload[name].value === 'bullish').length;
  const extreme = oscillators.some((name) => payload[name].zone !== 'neutral');
  if (extreme) return 'In a strong trend oscillators stay overbought or oversold for long.';
  if (bullish === 2) return 'The four oscillators are split: two lean each way.';
  const [many, side] = bullish > 2 ? [bullish, 'up'] : [oscillators.length - bullish, 'down'];
  return `${sentence(lengthInWords(many))} of the four lean ${side} against their lines; without a trend such crosses come and go.`;
}
