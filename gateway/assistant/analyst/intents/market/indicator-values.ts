import type { Answered } from '../../answered.js';
import { chosenIndicator } from '../../chosen-indicator.js';
import { writeNumber, writePrice } from '../../format.js';
import { defineIntent, type Prose } from '../../intent.js';
import { atMost, seriesArgs } from '../../market-args.js';
import { inQuote, joined } from '../../market-words.js';

type Values = Answered<'indicator-values'>;

type Columns = Values['indicators'][number];

type Line = Columns['outputs'][number];

export const indicatorValuesIntent = defineIntent<Values>({
  name: 'indicator-values',
  title: 'the value of one indicator, with settings of your choice',
  tool: 'get_indicator_values',
  phrases: [
    '{indicator} of {asset}',
    'what is the {indicator} of {asset} on {interval}',
    '{asset} {indicator}',
    'value of {indicator} for {asset}',
    'current {indicator} {asset} {interval}',
    'give me the {indicator} on {asset}',
    'how high is the {indicator} of {asset}',
    'where is the {indicator} of {asset}',
    'calculate {indicator} for {asset}',
    'last {count} values of {indicator} for {asset}',
    'tell me {asset} {indicator} on the {interval} chart',
    'what does the {indicator} of {asset} stand at',
    '{indicator} numbers for {asset}',
    '{indicator} reading for {asset} on {interval}',
    'what does the {indicator} say on {asset}',
    'show the {indicator} of {asset}',
    'what {indicator} does {asset} have',
    'where does {indicator} sit on {asset}',
    'read me the {indicator} for {asset}',
    'i need the {indicator} of {asset}',
    '{indicator} on {asset} right now',
    'latest {indicator} figures of {asset}',
    'check the {indicator} on {asset}',
    'how low is the {indicator} of {asset}',
    'pull up {indicator} for {asset}',
    'work out the {indicator} for {asset} on {interval}',
    '{indicator} for {asset} with {count} periods',
    '{indicator} series of {asset} over the last {candles} candles',
    '{indicator} channel of {asset} with length {count}',
    '{asset} {indicator} last {candles} candles',
    '{indicator} readings of {asset} for the last {windowHours}',
    'give me {indicator} and {indicator} for {asset}',
    'current value of the {indicator} on {asset}',
    '{indicator} history of {asset}',
  ],
  needs: {
    asset: 'Which asset do you mean?',
    indicator: 'Which indicator do you mean, such as RSI or MACD?',
  },
  takes: ['interval', 'tradeMarket', 'count', 'candles', 'indicatorPeriod', 'indicators'],
  yields: ['price'],
  args: ({ indicator = '', indicatorPeriod, indicators, candles, count, ...slots }) => ({
    ...seriesArgs(slots),
    indicators: indicators?.map((each) => chosenIndicator(each)) ?? [
      chosenIndicator(indicator, indicatorPeriod),
    ],
    last: atMost(100, candles ?? count ?? 2),
  }),
  answer: (payload) => {
    const { asset, interval, price, tradeMarket, indicators } = payload;
    if (indicators.length > 1) return severalProse(payload);
    const [columns] = indicators;
    const lines = columns.outputs.filter(({ values }) => values.at(-1) !== null);
    if (lines.length === 0)
      return { lead: `There is not enough history of ${asset} on ${interval} for ${titleWords(columns)}.` };
    return {
      lead: `${titleWords(columns)} of ${asset} on ${interval}${lines.length === 1 ? ' is' : ':'} ${lineWords(lines, columns)}.`,
      figures: [...earlierWords(lines, columns), `The last close is ${inQuote(price, tradeMarket)}.`],
      ...(lines.length < columns.outputs.length
        ? {
            caveat: `The history is too short for ${joined(columns.outputs.filter((line) => !lines.includes(line)).map(({ name }) => nameOf(name)))}.`,
          }
        : {}),
    };
  },
});

/** Several indicators in one sentence: "On 1d, BTC has SMA (50) at 61,000 and SMA (200) at 58,000." */
function severalProse({ asset, interval, price, tradeMarket, indicators }: Values): Prose {
  const lastOf = ({ outputs }: Columns) => outputs.filter(({ values }) => values.at(-1) !== null);
  const known = indicators.filter((columns) => lastOf(columns).length > 0);
  const short = indicators.filter((columns) => lastOf(columns).length === 0);
  const told = known.map((columns) => `${titleWords(columns)} at ${lineWords(lastOf(columns), columns)}`);
  const missing = joined(short.map(titleWords));
  if (told.length === 0)
    return { lead: `There is not enough history of ${asset} on ${interval} for ${missing}.` };
  return {
    lead: `On ${interval}, ${asset} has ${joined(told)}.`,
    figures: [`The last close is ${inQuote(price, tradeMarket)}.`],
    ...(short.length > 0 ? { caveat: `The history is too short for ${missing}.` } : {}),
  };
}

/** "RSI (14)"; a long name gives way to the title: "Bollinger Bands (20, 2)". */
const titleWords = ({ name, title, params }: Columns): string => {
  const values = Object.values(params);
  const short = name.length > 5 ? title : name.toUpperCase();
  return `${short}${values.length > 0 ? ` (${values.join(', ')})` : ''}`;
};

const nameOf = (name: string): string => name.replaceAll('_', ' ');

const figureOf = (value: number, { kind }: Columns): string =>
  kind === 'oscillator' ? writeNumber(value) : writePrice(value);

function lineWords(lines: readonly Line[], columns: Columns): string {
  const figures = lines.map(({ values }) => figureOf(values.at(-1)!, columns));
  if (lines.length === 1) return figures[0];
  return joined(lines.map(({ name }, n) => `${figures[n]} (${nameOf(name)})`));
}

/** The values before the last one, of an indicator with one line; else those of its first line. */
function earlierWords([{ name, values }]: readonly Line[], columns: Columns): string[] {
  const earlier = values.slice(0, -1).filter((value) => value !== null);
  if (earlier.length === 0) return [];
  const whose = columns.outputs.length === 1 ? 'it' : nameOf(name);
  if (earlier.length === 1) return [`One candle before, ${whose} was ${figureOf(earlier[0], columns)}.`];
  const told = earlier.slice(-9).reverse();
  return [
    `Before that ${whose} was, the newest first: ${joined(told.map((value) => figureOf(value, columns)))}.`,
  ];
}
