import type { Answered } from '../../answered.js';
import { defineIntent } from '../../intent.js';
import { atMost, seriesArgs } from '../../market-args.js';
import { awayFrom, counted, inQuote, joined, ofCandle } from '../../market-words.js';
import { writePrice } from '../../format.js';

type Levels = Answered<'support-resistance'>;

type Level = Levels['above'][number];

/** So many levels on either side read well. */
const mostNamed = 3;

export const supportResistanceIntent = defineIntent<Levels>({
  name: 'support-resistance',
  title: 'support and resistance: the levels above and below the price',
  tool: 'get_support_resistance',
  phrases: [
    'support and resistance of {asset}',
    '{asset} levels',
    'where is support for {asset}',
    'next resistance of {asset} on {interval}',
    'key levels {asset} {interval}',
    'what levels should I watch on {asset}',
    'how far is {asset} from support',
    'pivot points of {asset}',
    'fibonacci levels of {asset}',
    'where might {asset} bounce',
    'what is the next ceiling for {asset}',
    'where could {asset} find buyers',
    'nearest floor below {asset}',
    'important price zones for {asset}',
    'where will {asset} hit a wall',
    'where does {asset} meet sellers',
    'what holds {asset} up',
    'nearest resistances above {asset}',
    'what price should {asset} hold',
    'breakout level of {asset}',
    'barriers for {asset} on {interval}',
    'where is the floor under {asset}',
    'what price has to break for {asset} to run',
    'where could {asset} stall',
    'where would {asset} find a bottom',
    'where do sellers wait in {asset}',
    'what stands in the way of {asset}',
    'what levels matter on {asset}',
    'how much room to the next resistance of {asset}',
    'strongest support of {asset}',
    'lines to watch for {asset}',
    'where are the walls on {asset}',
    'where did {asset} get turned down before',
    'where will {asset} find support',
    'give me the levels of {asset}',
    'where is the next wall for {asset}',
    '{interval} levels of {asset}',
    's and r for {asset}',
    'next zone above for {asset}',
    'next level above {asset}',
    'where is {asset} capped',
    'where are the buyers in {asset}',
    'fib levels for {asset}',
    's/r for {asset} top {count}',
    '{count} support and resistance levels for {asset}',
    'retracement levels of {asset}',
    'important zones on {asset}',
    'where could {asset} find a floor',
    'nearest support of {asset}',
    'resistance on {asset} {interval}',
    'key zones for {asset}',
  ],
  needs: { asset: 'Which asset do you mean?' },
  takes: ['interval', 'tradeMarket', 'count'],
  args: ({ count, ...slots }) => ({
    ...seriesArgs(slots),
    ...(count === undefined ? {} : { max_levels: atMost(20, count) }),
  }),
  answer: (payload) => {
    const { asset, interval, price, tradeMarket, above, below } = payload;
    const [support, resistance] = [below.at(0), above.at(0)];
    return {
      lead: `${support ? `The next support of ${asset} on ${interval} is at ${levelWords(support, payload)} the last close of ${inQuote(price, tradeMarket)}` : `No support of ${asset} is known below ${inQuote(price, tradeMarket)} on ${interval}`}; ${resistance ? `the next resistance is at ${levelWords(resistance, payload)} it` : 'no resistance is known above it'}.`,
      figures: [
        ...furtherWords('Further down', below, payload),
        ...furtherWords('Further up', above, payload),
        ...turnedWords([...above, ...below], payload),
      ],
      caveat: 'Levels are where the price turned before or where many look; none of them has to hold.',
    };
  },
});

const levelWords = (level: Level, { tradeMarket, pivots }: Levels): string =>
  `${inQuote(level.price, tradeMarket)} (${kindWords(level, pivots)}), ${awayFrom(level.distancePercent)}`;

function furtherWords(place: string, levels: readonly Level[], { pivots }: Levels): string[] {
  const told = levels.slice(1, mostNamed);
  if (told.length === 0) return [];
  const words = told.map((level) => `${writePrice(level.price)} (${kindWords(level, pivots)})`);
  return [`${place}: ${joined(words)}.`];
}

function kindWords({ kind, name, touches }: Level, pivots: Levels['pivots']): string {
  if (kind === 'swings') return `${counted(touches ?? 0, 'turn')} there`;
  if (kind === 'pivot') return `${pivots?.period === 'day' ? 'daily' : 'weekly'} pivot ${name}`;
  return kind === 'fibonacci' ? `Fibonacci ${name}` : name;
}

/** The nearest level at which swings turned, unless it is the next one and named already. */
function turnedWords(levels: readonly Level[], { interval, tradeMarket, above, below }: Levels): string[] {
  const [turned] = levels
    .filter(({ touches, lastTouch }) => touches !== null && lastTouch !== null)
    .sort((left, right) => Math.abs(left.distancePercent) - Math.abs(right.distancePercent));
  if (!turned || turned === above.at(0) || turned === below.at(0)) return [];
  return [
    `The nearest price at which it really turned is ${inQuote(turned.price, tradeMarket)}: ${counted(turned.touches!, 'time')}, last on ${ofCandle(turned.lastTouch!, interval)}.`,
  ];
}
