import type { getProfits } from '../../../../operations/ledger/get-profits.js';
import { decidedArgs } from '../../decided-args.js';
import { writeDate, writeNumber, writePercent, writePrice } from '../../format.js';
import { defineIntent } from '../../intent.js';
import { counted, firstOf, joined, sentence } from '../../market-words.js';
import type { OutputOf } from '../../output-of.js';
import { ledgerPeriodOf } from '../../ledger-period-of.js';
import { profitWords } from '../../outcome-words.js';

type Profits = OutputOf<typeof getProfits>;

type ProfitLine = Profits['rows'][number];

const mostTold = 5;

export const profitsIntent = defineIntent<Profits>({
  name: 'profits',
  title: 'what your trades have earned, by asset, exchange, channel or day',
  tool: 'get_pnl_summary',
  phrases: [
    'how much did i make this month',
    'my pnl',
    'profit and loss by {groupBy}',
    'what did i earn today',
    'pnl of the last week per day',
    'how much have i lost this year',
    'all time profit by coin',
    'how much did i pay in fees',
    'what is my win rate',
    'am i making money',
    'my gains and losses since the start',
    'earnings per {groupBy} over {period}',
    'realised profit of the last month',
    'did i win or lose money today',
    'have i made any money this week',
    'how much am i up',
    'how much am i down',
    'did i lose money',
    'am i in the plus',
    'am i profitable',
    'what have i made so far',
    'how did my trading go {period}',
    'which coin made me the most',
    'which coin cost me the most',
    'how much did trading cost me',
    'split my profit {groupBy}',
    'how often do i win',
    'my results for {period}',
    'did i come out ahead',
    'how much am i up today',
    'am i in the red',
    'am i in the green this week',
    'am i ahead or behind',
    'how am i doing this month in profit',
    'what did i lose',
    'my win rate',
    'how much did i lose {date}',
    'my gains {groupBy}',
    'how did i do today',
    'what is my profit today',
    'show me my losses',
    'did i have a good month',
    'how much money did i make with {asset}',
    'my total profit this year',
    'total of my profits over {period}',
    'fees i paid {period}',
    'daily pnl for {period}',
    'which channel earned me the most',
    'how am i doing on each exchange profit wise',
    'what i earned over {windowHours}',
    'what i made in {windowHours}',
    'pnl {groupBy} over {windowHours}',
    'how much have my trades made since i started',
    'my win rate for {windowHours}',
    'realised gains {windowHours}',
    'profit {isToday}',
    'for the whole year',
    'split it {groupBy}',
    'hows my pnl',
    'which exchange made me the most',
    'what is my realised profit',
    'how much profit did i make with each coin',
    'what did trading bring me {isToday}',
    'was this week profitable for me',
  ],
  needs: {},
  takes: ['groupBy', 'interval', 'period', 'windowHours', 'isToday', 'isAllTime'],
  args: (slots) =>
    decidedArgs({
      period: ledgerPeriodOf(slots),
      // "Daily results" are by day.
      group_by: slots.groupBy ?? (slots.interval === '1d' ? 'day' : undefined),
    }),
  answer: ({ totals, rows, groupBy, since, isComplete }) => {
    const from = new Date(since).getTime() <= 0 ? 'Over all time' : `Since ${writeDate(since)}`;
    const [total, ...others] = totals;
    if (!total || totals.every(({ trades, unrealised }) => trades === 0 && (unrealised ?? 0) === 0))
      return { lead: `${from} you closed no trade, and nothing is open.` };
    return {
      lead: `${from} you made ${joined([total, ...others].map(({ profit, tradeMarket }) => profitWords(profit, tradeMarket)))} after fees.`,
      figures: [
        `${sentence(tradeWords(total))}.`,
        ...(total.unrealised === null
          ? []
          : [`Open positions show ${profitWords(total.unrealised, total.tradeMarket)}.`]),
        ...groupWords(groupBy, rows),
      ],
      ...(isComplete ? {} : { caveat: 'Only your newest trades are counted, as there are very many.' }),
    };
  },
});

const tradeWords = ({ trades, winRatePercent }: Pick<ProfitLine, 'trades' | 'winRatePercent'>): string =>
  trades === 0
    ? 'no trade closed'
    : `${counted(trades, 'trade')} closed${winRatePercent === null ? '' : `, of which ${writePercent(winRatePercent)} gained`}`;

/** The groups that traded, the largest profits and losses first. */
function groupWords(groupBy: string, rows: readonly ProfitLine[]): string[] {
  const size = ({ profit }: ProfitLine) => Math.abs(Number(profit));
  const traded = rows.filter(({ trades }) => trades > 0).sort((one, other) => size(other) - size(one));
  if (traded.length === 0) return [];
  return [
    `By ${groupBy}${traded.length > 1 ? ', the largest first' : ''}: ${firstOf(traded.map(rowWords), mostTold)}.`,
  ];
}

const rowWords = ({ group, profit, tradeMarket, fees }: ProfitLine): string =>
  `${/^\d{4}-\d{2}-\d{2}$/.test(group) ? writeDate(group) : group} ${Number(profit) > 0 ? '+' : ''}${writePrice(profit)} ${tradeMarket}${feeWords(fees)}`;

const feeWords = (fees: ProfitLine['fees']): string =>
  fees.length === 0
    ? ''
    : ` (fees ${joined(fees.slice(0, 2).map(({ asset, amount }) => `${writeNumber(amount)} ${asset}`))})`;
