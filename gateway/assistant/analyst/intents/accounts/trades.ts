import type { listTrades } from '../../../../operations/ledger/list-trades.js';
import { decidedArgs } from '../../decided-args.js';
import { writeDate, writeNumber } from '../../format.js';
import { defineIntent } from '../../intent.js';
import { firstOf, lengthInWords, sentence, signed } from '../../market-words.js';
import type { OutputOf } from '../../output-of.js';
import { profitWords } from '../../outcome-words.js';

type TradeList = OutputOf<typeof listTrades>;

type TradeLine = TradeList['trades'][number];

const mostTold = 5;

export const tradesIntent = defineIntent<TradeList>({
  name: 'trades',
  title: 'your closed trades',
  tool: 'list_trades',
  phrases: [
    'my last trades',
    'list my closed {asset} trades',
    'show the {count} most recent closed trades',
    'what did i close on {asset} lately',
    'trade history',
    'how long did i hold my {asset} trades',
    'my closed trades since {date}',
    'which trades did i finish',
    'results of my past trades',
    'what were my exits on {asset}',
    'my best and worst trades',
    'show me finished trades',
    'last sold positions',
    'what have i closed lately',
    'what trades did i do last week',
    'which of my trades lost money',
    'my losing trades',
    'my winning trades',
    'what did i sell',
    'my biggest loser',
    'how did my last trade end',
    'how did my last {asset} trade go',
    'when did i sell my {asset}',
    'which of my trades got stopped out',
    'average holding time of my trades',
    'what did i get out of lately',
    'positions i closed',
    'the last {count} positions i closed',
    'which were my worst trades',
    'my worst trades',
    'my best trades this month',
    'trades that hit my stop',
    'list the trades i closed in profit',
    'my closed positions',
    'the trades that hit their target',
    'trades from {channel}',
    'closed {asset} trades after {date}',
    'closed trades of {asset} since {date}',
    'my trades of the past {windowHours}',
    'exit reasons of my {asset} trades',
    'slippage on my closed {asset} trades',
    'how long did i hold my last {asset} trades',
    'which trades did i close since {date}',
    'the {count} latest closed positions',
    'my finished {asset} trades and how i got out of each',
    'my trades on {asset}',
    'closed trades on {asset}',
  ],
  needs: {},
  takes: ['asset', 'count', 'date', 'channel', 'since', 'windowHours', 'period', 'isToday'],
  args: ({ asset, count, date, channel, since }) =>
    decidedArgs({ asset, channel, since: date ?? since, limit: count }),
  answer: ({ trades, nextCursor }, { asset }) => {
    const of = asset === undefined ? '' : ` in ${asset}`;
    const [last] = trades;
    if (!last) return { lead: `You have no closed trades${of} in that time.` };
    const won = trades.filter(({ profit }) => Number(profit) > 0).length;
    return {
      lead: `Your last closed trade was ${tradeWords(last)}.`,
      figures: [
        ...heldWords(last),
        ...(trades.length > 1
          ? [`Before that: ${firstOf(trades.slice(1).map(tradeWords), mostTold - 1)}.`]
          : []),
        ...(trades.length > 1 ? [`${sentence(wonWords(won, trades.length))}.`] : []),
      ],
      ...(nextCursor === null ? {} : { caveat: 'Older trades are left out here.' }),
    };
  },
});

const wonWords = (won: number, all: number): string => {
  return won === all
    ? 'all of those shown gained'
    : `${won === 0 ? 'none' : lengthInWords(won)} of those shown gained`;
};

const tradeWords = ({ side, asset, closedAt, returnPercent, profit, tradeMarket, r }: TradeLine): string =>
  `a ${side} in ${asset} on ${writeDate(closedAt)} with ${profitWords(profit, tradeMarket)}${returnPercent === null ? '' : ` (${signed(returnPercent)}${r === null ? '' : `, ${writeNumber(r)} R`})`}`;

const heldWords = ({ openedAt, closedAt }: TradeLine): string[] =>
  writeDate(openedAt) === writeDate(closedAt) ? [] : [`It was opened on ${writeDate(openedAt)}.`];
