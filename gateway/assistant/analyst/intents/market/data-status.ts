import type { dataStatus } from '../../../../operations/analysis/data-status.js';
import { writeMoment } from '../../format.js';
import { defineIntent } from '../../intent.js';
import { quoteArgs } from '../../market-args.js';
import { counted, firstOf, joined } from '../../market-words.js';
import type { OutputOf } from '../../output-of.js';

type Status = OutputOf<typeof dataStatus>;

type Stored = Status['intervals'][number];

const mostNamed = 5;

export const dataStatusIntent = defineIntent<Status>({
  name: 'data-status',
  title: 'how fresh and complete the stored candles are, and where they come from',
  tool: 'get_data_status',
  phrases: [
    'how fresh is the data',
    'data status',
    'is the data up to date',
    'when was the data last updated',
    'are there gaps in the data of {asset}',
    'is {asset} data stale',
    'what is the source of the data',
    'how much history do you have for {asset}',
    'is this live or demo data',
    'missing candles {asset}',
    'where does the data come from',
    'how fresh are the candles of {asset}',
    'when did the last candle of {asset} come in',
    'is your data delayed',
    'where do your numbers come from',
    'is this real time',
    'when was the last update',
    'how old are your numbers',
    'is the feed lagging',
    'your {asset} numbers look old',
    'is the feed broken',
    'is the feed down',
    'when did you last refresh',
    'how far back does your {asset} data go',
    'since when do you have candles of {asset}',
    'are there holes in the {asset} history',
    'are these prices live',
    'are these quotes delayed',
    'why is {asset} not updating',
    'which feed do you use',
    'when was {asset} last refreshed',
    'are you behind on {asset} data',
    'your {asset} prices seem off',
    'how old is the last candle of {asset}',
    'what time is your latest data from',
    'how long ago were the prices updated',
    'how recent are your prices',
    'when was this updated',
    'is it live',
    'are your candles current',
    'when was your last candle for {asset} closed',
    'how long ago was {asset} updated',
    'which exchange do your {asset} candles come from',
    'data quality of {asset}',
    'lag of the feed',
    'is the data complete',
    'any missing data',
    'is something wrong with your data',
    'the {asset} price looks frozen',
    'freshness of the market data',
    'is anything missing in your data for {asset}',
  ],
  needs: {},
  takes: ['asset', 'tradeMarket'],
  args: ({ asset, tradeMarket }) => ({
    ...(asset === undefined ? {} : { asset }),
    ...quoteArgs({ tradeMarket }),
  }),
  answer: (payload) => {
    const { asset, source, intervals, overdue } = payload;
    const whose = asset ?? 'all assets';
    if (intervals.length === 0)
      return { lead: `There are no stored candles of ${whose} yet: ${payload.history}.` };
    return {
      lead: `The candles of ${whose} come from ${source} and are ${freshWords(intervals)}.`,
      figures: [
        `The newest closed at ${joined(intervals.map(({ interval, lastClose }) => `${writeMoment(lastClose)} on ${interval}`))}.`,
        gapWords(intervals, payload),
      ],
      ...(overdue.length > 0
        ? {
            caveat: `The newest candles of ${firstOf(
              overdue.map((each) => each.asset),
              mostNamed,
            )} are overdue: ${overdue[0].reason}.`,
          }
        : {}),
    };
  },
});

function freshWords(intervals: readonly Stored[]): string {
  const late = intervals.filter(({ lagSeconds }) => lagSeconds > 0);
  if (late.length === 0) return 'up to date';
  return `behind: ${joined(late.map(({ interval, lagSeconds }) => `${interval} by ${counted(lagSeconds, 'second')}`))}`;
}

function gapWords(intervals: readonly Stored[], { gaps }: Status): string {
  const [{ interval, candles, missing }] = intervals;
  const stored = `${counted(candles, `${interval} candle`)} ${candles === 1 ? 'is' : 'are'} stored`;
  if (missing === 0) return `${stored}, without a gap.`;
  const last = gaps.at(0);
  const when = last ? `, the last from ${writeMoment(last.from)} to ${writeMoment(last.to)}` : '';
  return `${stored}; ${missing} ${missing === 1 ? 'is' : 'are'} missing${when}.`;
}
