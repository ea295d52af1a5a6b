import type { Answered } from '../../answered.js';
import { writeNumber, writePercent } from '../../format.js';
import { defineIntent } from '../../intent.js';
import { namedAssets, quoteArgs } from '../../market-args.js';
import { joined, signed, wentBy } from '../../market-words.js';
import type { Slots } from '../../slots.js';

type Rows = Answered<'performance'>['rows'];

type Window = Rows[number]['windows'][number];

const windowWords: Record<Window['window'], string> = {
  '1d': 'the last day',
  '7d': 'the last week',
  '30d': 'the last month',
  '90d': 'the last three months',
  '1y': 'the last year',
};

export const performanceIntent = defineIntent<Answered<'performance'>>({
  name: 'performance',
  title: 'returns over a day to a year, drawdown, volatility and Sharpe ratio',
  tool: 'get_performance',
  phrases: [
    'performance of {asset}',
    'how did {asset} do over {period}',
    'return of {asset} in the last {windowHours}',
    'how much did {asset} gain this year',
    'how has {asset} performed',
    'compare the returns of {assets}',
    'which did better {assets}',
    'drawdown of {asset} over the last month',
    'how far is {asset} below its high',
    'sharpe ratio of {asset}',
    '{assets} performance side by side',
    'is {asset} up or down this month',
    'yearly return {asset}',
    'year to date {asset}',
    'how did {asset} do compared to {asset} over {period}',
    'did {asset} beat {asset}',
    '{asset} against {asset} over the year',
    'max drawdown of {asset}',
    'what did {asset} return in {windowHours}',
    'how has {asset} done since {windowHours}',
    'how have {asset} and {asset} performed',
    'gains of {asset} over {period}',
    'total return of {asset}',
    'how much is {asset} up since {windowHours}',
    'what would holding {asset} for {period} have brought',
    'deepest fall of {asset} in the last year',
    '{asset} ytd',
    'how well has {asset} held up over {windowHours}',
    'sharpe of {asset} versus {asset}',
    'sharpe ratio of {assets}',
    'how did {asset} fare over {period}',
    'has {asset} made or lost money over {period}',
    'which of {assets} won over {period}',
    'who won {asset} or {asset} over {windowHours}',
    'did {asset} outpace {asset}',
    'how deep did {asset} fall from its peak',
    'how much has {asset} lost since its top',
    'how far is {asset} from its all time high',
    'how bad was {asset} this month',
    'percent change of {asset} over {windowHours}',
    'growth of {asset} over {period}',
    'how has {asset} been doing this year',
    'is {asset} ahead of {asset} this month',
    'how did {asset} end the week',
    'how did {asset} do',
    'how did {asset} do in the last {windowHours}',
    'has {asset} done better than {asset}',
    'has {asset} done better than {asset} this month',
    'how has {asset} done this year',
    'and how has it done this year',
    'what would i have gained holding {asset} for {period}',
    '{assets} returns over {windowHours}',
    'how has {asset} done relative to {asset}',
    'annualised return and sharpe of {assets}',
    'how much has {asset} gained in {windowHours}',
    'return of {assets} side by side',
    'how have {assets} done against each other',
    'how far is {asset} off its top',
    'how much is {asset} up since the start of the year',
    'biggest drawdown {asset} had {period}',
  ],
  needs: { asset: 'Which asset do you mean?' },
  takes: ['assets', 'period', 'windowHours', 'tradeMarket'],
  yields: ['top-movers'],
  args: (slots) => ({ assets: namedAssets(slots).slice(0, 10), ...quoteArgs(slots) }),
  answer: ({ rows }, slots) => {
    const window = windowOf(slots);
    return rows.length === 1 ? oneAsset(rows[0], window) : severalAssets(rows, window);
  },
});

/** The window that was asked for, or the nearest longer one; a month where none was. */
function windowOf({ windowHours, period }: Slots): Window['window'] {
  if (period !== undefined) return period === '1y' ? '1y' : '90d';
  if (windowHours === undefined) return '30d';
  if (windowHours <= 24) return '1d';
  if (windowHours <= 168) return '7d';
  if (windowHours <= 744) return '30d';
  return windowHours <= 2_208 ? '90d' : '1y';
}

function oneAsset({ asset, windows }: Rows[number], wanted: Window['window']) {
  const told = windows.find(({ window }) => window === wanted);
  const figures = told?.figures;
  const others = windows.filter((each) => each !== told && each.figures !== null);
  if (!figures)
    return {
      lead: `There is not enough history of ${asset} for a return over ${windowWords[wanted]}.`,
      figures: others.length > 0 ? [`${otherWords(others)}.`] : [],
    };
  const { maxDrawdownPercent, fromHighPercent, relativeToBtcPoints } = figures;
  return {
    lead: `${asset} ${wentBy(figures.returnPercent)} over ${windowWords[wanted]}${asset === 'BTC' || relativeToBtcPoints === null ? '' : `, ${againstBtc(relativeToBtcPoints)}`}.`,
    figures: [
      `In that time its deepest fall was ${writePercent(Math.abs(maxDrawdownPercent))}, and it stands ${writePercent(Math.abs(fromHighPercent))} below its high.`,
      ...(others.length > 0 ? [`${otherWords(others)}.`] : []),
    ],
    ...sharpeWords(figures),
  };
}

/** The difference from the return of BTC in percentage points. */
const againstBtc = (points: number): string =>
  `${writeNumber(Math.abs(points))} points ${points < 0 ? 'worse' : 'better'} than BTC`;

const otherWords = (windows: readonly Window[]): string =>
  `Over other spans: ${joined(windows.map(({ window, figures }) => `${signed(figures!.returnPercent)} over ${windowWords[window]}`))}`;

function sharpeWords({ sharpe, sharpeLow, sharpeHigh }: NonNullable<Window['figures']>): { caveat?: string } {
  if (sharpe === null || sharpeLow === null || sharpeHigh === null) return {};
  const [ratio, low, high] = [sharpe, sharpeLow, sharpeHigh].map((value) => writeNumber(value, 2));
  return {
    caveat:
      sharpeLow < 0 && sharpeHigh > 0
        ? `Its Sharpe ratio was ${ratio}, with an interval from ${low} to ${high}: so short a sample does not tell a drift from chance.`
        : `Its Sharpe ratio was ${ratio}, with an interval from ${low} to ${high}.`,
  };
}

function severalAssets(rows: Rows, wanted: Window['window']) {
  const figuresOf = ({ windows }: Rows[number]) =>
    windows.find(({ window }) => window === wanted)?.figures ?? null;
  const known = rows
    .flatMap((row) => {
      const figures = figuresOf(row);
      return figures === null ? [] : [{ asset: row.asset, ...figures }];
    })
    .sort((left, right) => right.returnPercent - left.returnPercent);
  const unknown = rows.filter((row) => figuresOf(row) === null).map(({ asset }) => asset);
  if (known.length === 0)
    return {
      lead: `There is not enough history of ${joined(unknown)} for a return over ${windowWords[wanted]}.`,
    };
  const [best, ...others] = known;
  return {
    lead: `Over ${windowWords[wanted]} ${best.asset} did best: it ${wentBy(best.returnPercent)}${others.map(({ asset, returnPercent }) => `; ${asset} ${wentBy(returnPercent)}`).join('')}.`,
    figures: [
      `The deepest falls on the way: ${joined(known.map(({ asset, maxDrawdownPercent }) => `${asset} ${writePercent(Math.abs(maxDrawdownPercent))}`))}.`,
    ],
    caveat:
      unknown.length > 0
        ? `${joined(unknown)} ${unknown.length === 1 ? 'has' : 'have'} too little history.`
        : 'The order over one span says little about the next.',
  };
}
