import type { Answered } from '../../answered.js';
import { writePercent } from '../../format.js';
import { decidedArgs } from '../../decided-args.js';
import { defineIntent } from '../../intent.js';
import { marketArgs, spannedCandles } from '../../market-args.js';
import { counted, ofCandle } from '../../market-words.js';

type History = Answered<'breadth'>;

type Row = History['rows'][number];

export const breadthIntent = defineIntent<History>({
  name: 'breadth',
  title: 'market breadth: how many assets take part in a move, now and before',
  tool: 'get_breadth_history',
  phrases: [
    'market breadth',
    'how broad is the rally',
    'breadth history on {interval}',
    'how many coins are above their 200 day average',
    'share of assets above the 50 day average',
    'advance decline line',
    'new highs and new lows in the market',
    'percentage of coins in accumulate over time',
    'is participation getting better',
    'is breadth improving',
    'how many coins make new lows',
    'is the market broad or narrow',
    'is the rally getting broader or narrower',
    'how many assets take part in the move',
    'share of coins over their fifty day line',
    'is it only a few coins that rise',
    'are most coins joining the move',
    'is everything going up or just the big ones',
    'advancers against decliners',
    'is the move carried by few coins',
    'how healthy is the market underneath',
    'what fraction of coins trades over the fifty day line',
    'new lows versus new highs over {period}',
    'do the small coins take part too',
    'how wide is participation',
    'are lots of coins joining in or only a few',
    'how many coins make new highs',
    'what share of coins is over its 200 day average',
    'is it just a handful of coins that carries the market',
    'how many coins are in an uptrend over time',
    'what percentage of coins is above the {conditions}',
    'how has breadth developed over {windowHours}',
    'breadth over the last {candles} candles',
    'breadth history for {period}',
    'share of coins in {state} over time',
    'is participation widening',
  ],
  needs: {},
  takes: ['interval', 'tradeMarket', 'candles', 'windowHours', 'period', 'isToday', 'state'],
  args: (slots) => decidedArgs({ ...marketArgs(slots), limit: spannedCandles(slots, { most: 365 }) }),
  answer: ({ rows, interval, stale }) => {
    const [first, last] = [rows.at(0), rows.at(-1)];
    if (!first || !last)
      return { lead: `There is no candle on ${interval} from which breadth could be read.` };
    return {
      lead: leadWords(last, interval),
      figures: [
        `${last.advancers} rose and ${last.decliners} fell with the last candle; ${noOr(last.newHighs)} made a new high and ${noOr(last.newLows)} a new low.`,
        ...changeWords(first, last, interval),
      ],
      ...(stale > 0
        ? {
            caveat: `${counted(stale, 'asset')} without the newest candle ${stale === 1 ? 'does' : 'do'} not count.`,
          }
        : {}),
    };
  },
});

function leadWords(
  { aboveSma50Percent: medium, aboveSma200Percent: long, sma50Assets }: Row,
  interval: string,
): string {
  if (medium === null) return `No asset has the history for an average of fifty candles on ${interval}.`;
  const longWords = long === null ? '' : `, and ${writePercent(long)} above that of two hundred`;
  return `On ${interval} ${writePercent(medium)} of ${counted(sma50Assets, 'asset')} closed above their average of fifty candles${longWords}.`;
}

function changeWords(first: Row, last: Row, interval: string): string[] {
  const [before, now] = [first.aboveSma50Percent, last.aboveSma50Percent];
  if (first === last || before === null || now === null) return [];
  const way = now > before ? 'broader' : now < before ? 'narrower' : 'as broad as';
  const shares = `${writePercent(before)} were above the average of fifty candles then`;
  const states =
    first.accumulatePercent === null || last.accumulatePercent === null
      ? ''
      : `; the share in accumulate went from ${writePercent(first.accumulatePercent)} to ${writePercent(last.accumulatePercent)}`;
  return [
    `That is ${way}${way === 'as broad as' ? '' : ' than'} on ${ofCandle(first.time, interval)}: ${shares}${states}.`,
  ];
}

const noOr = (count: number): string => (count === 0 ? 'none' : String(count));
