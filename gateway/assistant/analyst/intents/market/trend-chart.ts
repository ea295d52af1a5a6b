import type { ChartOutput } from '../../../../operations/analysis/chart.js';
import { writePrice } from '../../format.js';
import { defineIntent } from '../../intent.js';
import { seriesArgs, spannedCandles } from '../../market-args.js';
import { counted, inQuote, ofCandle } from '../../market-words.js';

export const trendChartIntent = defineIntent<ChartOutput>({
  name: 'trend-chart',
  title: 'the core line of an asset with its band',
  tool: 'get_trend_chart',
  phrases: [
    'chart of {asset}',
    'show me the {asset} chart on {interval}',
    'core line of {asset}',
    'where is the core line of {asset} on {interval}',
    'upper and lower band of {asset}',
    'draw {asset}',
    'plot {asset} {interval}',
    'trend line of {asset}',
    'is {asset} above its core line',
    'how far is {asset} from the core line',
    '{asset} graph',
    'show me a chart of {asset}',
    'the coloured line of {asset}',
    'pull up a chart of {asset}',
    'visualise {asset}',
    'picture of {asset} on {interval}',
    'how does the {asset} line look',
    'where do the bands of {asset} sit',
    'is {asset} below its core line',
    'is {asset} outside its bands',
    'let me see the {interval} graph of {asset}',
    'where is the line of {asset}',
    'i want to see the chart of {asset}',
    'trend chart for {asset} {candles} candles',
    'is {asset} trading above or below its trend line',
    'trend chart of {asset} over {windowHours}',
    'draw the last {windowHours} of {asset}',
    'how did the trend line of {asset} develop',
    'coloured segments of {asset}',
    'trend line of {asset} on {interval}',
    'show the {asset} line on {interval}',
    'core line {asset} {interval} {candles} candles',
    'graph {asset} {interval}',
  ],
  needs: { asset: 'Which asset do you mean?' },
  takes: ['interval', 'tradeMarket', 'candles', 'count', 'windowHours', 'period', 'isToday'],
  why: 'why-flipped',
  // The words of the answer are about the newest candle alone.
  args: ({ count, ...slots }) => ({
    ...seriesArgs(slots),
    limit: spannedCandles({ ...slots, candles: slots.candles ?? count }, { most: 500 }) ?? 2,
  }),
  answer: (payload) => {
    const { asset, interval, state, price, tradeMarket, missingCandles } = payload;
    const [line, upper, lower] = [payload.line, payload.upper, payload.lower].map(
      (points) => points.at(-1)?.value,
    );
    if (state === null || line === undefined || upper === undefined || lower === undefined)
      return { lead: `There is not enough history of ${asset} on ${interval} for a core line.` };
    const side = price > upper ? 'above' : price < lower ? 'below' : 'inside';
    return {
      lead: `The core line of ${asset} on ${interval} is at ${inQuote(line, tradeMarket)}, and the last close of ${inQuote(price, tradeMarket)} is ${side} its band.`,
      figures: [`The band reaches from ${writePrice(lower)} to ${writePrice(upper)}.`, sinceWords(payload)],
      caveat:
        missingCandles > 0
          ? `${counted(missingCandles, 'candle')} ${missingCandles === 1 ? 'is' : 'are'} missing in the history.`
          : 'This is the chart in words; apps that read these data draw it.',
    };
  },
});

const sinceWords = ({ state, since, interval }: ChartOutput): string =>
  since === null ? `The state is ${state}.` : `The state is ${state}, since ${ofCandle(since, interval)}.`;
