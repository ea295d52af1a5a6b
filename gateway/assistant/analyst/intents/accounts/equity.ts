import type { getEquity } from '../../../../operations/ledger/get-equity.js';
import { decidedArgs } from '../../decided-args.js';
import { writeDate, writeNumber, writePercent } from '../../format.js';
import { defineIntent } from '../../intent.js';
import { inQuote, signed } from '../../market-words.js';
import type { OutputOf } from '../../output-of.js';
import { ledgerPeriodOf } from '../../ledger-period-of.js';

type Equity = OutputOf<typeof getEquity>;

/** Below so many days a ratio of a year is a guess. */
const fewDays = 30;

export const equityIntent = defineIntent<Equity>({
  name: 'equity',
  title: 'how the value of your accounts developed, against holding an asset',
  tool: 'get_equity_curve',
  phrases: [
    'how did my account value develop',
    'my equity curve over {period}',
    'am i beating bitcoin',
    'my drawdown in the last month',
    'sharpe of my portfolio',
    'compare my account to holding {asset}',
    'return of my account over {period}',
    'is my account growing',
    'my portfolio over time',
    'how volatile is my account',
    'would i have done better just holding {asset}',
    'net worth curve all time',
    'value of my accounts over the last year',
    'has my account gone up over {period}',
    'how did my portfolio do against {asset}',
    'am i doing better than {asset}',
    'did i beat {asset} this year',
    'chart of my account',
    'my worst drawdown',
    'how far is my account off its high',
    'what would i have with plain {asset} instead',
    'how has my money grown',
    'my performance over {period}',
    'my risk adjusted return',
    'account history since the start',
    'plot my net worth',
    'how did my account do over {period}',
    'my account against {asset}',
    'what is my max drawdown since the beginning',
    'sharpe ratio of my account all time',
    'my account value over {windowHours}',
    'equity history for {period} against {asset}',
    'portfolio value over time',
    'how volatile has my account been {period}',
    'how has my account grown compared with holding {asset}',
    'did my account outperform {asset}',
    'my drawdown over {windowHours}',
    'how has my portfolio developed over {period}',
    'would i be better off just holding {asset}',
    'show my equity curve',
    'portfolio growth over {windowHours}',
    'worst drawdown my account ever had',
  ],
  needs: {},
  takes: ['asset', 'period', 'windowHours', 'isAllTime'],
  yields: ['performance'],
  args: (slots) => decidedArgs({ period: equityPeriod(ledgerPeriodOf(slots)), benchmark: slots.asset }),
  answer: (payload) => {
    const { days, returnPercent, benchmark, benchmarkReturnPercent } = payload;
    const [first] = days;
    const last = days.at(-1);
    if (!first || !last || returnPercent === null)
      return {
        lead: `There is not enough history of your account for a return yet${last ? `; it was worth ${inQuote(last.value, 'USDT')} on ${writeDate(last.day)}` : ''}.`,
        caveat: 'The value is stored once a day.',
      };
    return {
      lead: `Your accounts ${returnWords(returnPercent)} from ${writeDate(first.day)} to ${writeDate(last.day)}, deposits and withdrawals aside${againstBenchmark(returnPercent, benchmark, benchmarkReturnPercent)}.`,
      figures: [`They were worth ${inQuote(last.value, 'USDT')} at the end.`, ...riskWords(payload)],
      caveat:
        days.length < fewDays
          ? 'So few days make the ratios of a year a guess.'
          : 'The value is taken once a day, so falls within a day are not in it.',
    };
  },
});

/** What is smaller than the last digit that is written counts as nothing. */
const returnWords = (percent: number): string =>
  Math.abs(percent) < 0.005 ? 'returned nothing' : `returned ${signed(percent)}`;

/** The curve knows no period below thirty days. */
const equityPeriod = (period: string | undefined): string | undefined =>
  period === 'today' || period === '7d' ? '30d' : period;

const againstBenchmark = (own: number, benchmark: string, held: number | null): string => {
  if (held === null) return '';
  return `; holding ${benchmark} returned ${signed(held)}, so you did ${own === held ? 'as well' : own > held ? 'better' : 'worse'}`;
};

function riskWords({ maxDrawdownPercent, volatilityPercent, sharpe }: Equity): string[] {
  const fall =
    maxDrawdownPercent === null ? [] : [`the deepest fall was ${writePercent(Math.abs(maxDrawdownPercent))}`];
  const swing =
    volatilityPercent === null ? [] : [`the volatility of a year is ${writePercent(volatilityPercent)}`];
  const ratio = sharpe === null ? [] : [`the Sharpe ratio ${writeNumber(sharpe)}`];
  const text = [...fall, ...swing, ...ratio].join(', ');
  return text === '' ? [] : [`${text.charAt(0).toUpperCase()}${text.slice(1)}.`];
}
