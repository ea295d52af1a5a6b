import type { Answered } from '../../answered.js';
import { decidedArgs } from '../../decided-args.js';
import { writeNumber } from '../../format.js';
import { defineIntent } from '../../intent.js';
import { counted, signed } from '../../market-words.js';
import type { Slots } from '../../slots.js';
import { strategyTitle } from '../../strategy-title.js';

type Comparison = Answered<'compare'>;

type ComparedLine = Comparison['runs'][number];

const mostTold = 6;

export const compareBacktestsIntent = defineIntent<Comparison>({
  name: 'compare-backtests',
  title: 'several strategies or assets tested side by side, corrected for the number of tests',
  tool: 'compare_backtests',
  phrases: [
    'compare {strategies} on {asset}',
    'which is better on {asset}: {strategies}',
    'compare {strategy} on {assets} over {period}',
    '{strategies} versus on {assets} {interval}',
    'pit {strategies} against each other for {asset}',
    'test {strategies} side by side on {asset}',
    'does {strategies} do better on {asset}',
    'rank {strategies} on {assets}',
    'backtest comparison of {strategies}',
    '{strategies} head to head on {asset}',
    'run {strategies} on {assets} and compare',
    'which of {strategies} earned more on {asset}',
    '{strategy} or {strategy} which did better on {asset}',
    'which strategy wins on {asset} {strategies}',
    'does {strategy} beat {strategy} on {asset}',
    'battle of {strategies} on {asset}',
    'is {strategy} better than {strategy} for {asset}',
    'put {strategies} next to each other on {asset}',
    'does {strategy} work better on {asset} or {asset}',
    'try {strategies} on {asset} and tell me the winner',
    'which coin suits {strategy} better {assets}',
    'test {strategies} side by side on {asset} for {period}',
    'run {strategies} on {assets} over {period}',
    'rank {strategy} against {strategy} on {asset}',
    'test {strategy} on {asset} versus {asset}',
    'side by side {strategies} {asset} {period}',
    '{strategy} or {strategy} which did better on {assets}',
    '{strategy} versus {strategy} on {asset}',
    'compare {strategies} on {assets}',
    'which is better on {asset} {strategy} or {strategy}',
    'does {strategy} beat {strategy} on {assets}',
  ],
  needs: { strategies: 'Which strategies do you want to compare?', asset: 'On which asset?' },
  takes: ['assets', 'strategy', 'interval', 'period', 'tradeMarket'],
  yields: ['performance'],
  args: (slots) =>
    decidedArgs({
      assets: assetsOf(slots)?.slice(0, 8),
      strategies: strategiesOf(slots)?.slice(0, 8),
      interval: slots.interval,
      period: slots.period,
      trade_market: slots.tradeMarket,
    }),
  answer: ({ runs, refused, best, interval }) => {
    const [first, ...others] = runs;
    if (!first)
      return {
        lead: 'None of the combinations could be computed.',
        ...(refused[0] ? { caveat: `The first reason: ${refused[0].message}.` } : {}),
      };
    return {
      lead: `By Sharpe ratio ${strategyTitle(first.strategy)} on ${first.asset} comes first on ${interval}: ${lineWords(first)}.`,
      figures: [
        ...(others.length === 0
          ? []
          : [
              `Then ${others
                .slice(0, mostTold - 1)
                .map((run) => `${strategyTitle(run.strategy)} on ${run.asset} (${lineWords(run)})`)
                .join('; ')}.`,
            ]),
        ...(others.length >= mostTold ? ['The others did worse.'] : []),
      ],
      caveat: `${runs.some(({ significant }) => significant) ? 'What is beyond chance after the correction for so many tests is marked as significant' : 'None of it is significant after the correction for the number of tests'}${luckWords(best)}${refused.length > 0 ? `; ${counted(refused.length, 'combination')} could not be computed` : ''}.`,
    };
  },
});

const assetsOf = ({ assets, asset }: Slots) => assets ?? (asset === undefined ? undefined : [asset]);

const strategiesOf = ({ strategies, strategy }: Slots) =>
  strategies ?? (strategy === undefined ? undefined : [strategy]);

const lineWords = ({ totalReturn, sharpe, tradeCount, significant }: ComparedLine): string =>
  [
    totalReturn === null ? 'unknown return' : signed(totalReturn),
    ...(sharpe === null ? [] : [`Sharpe ratio ${writeNumber(sharpe)}`]),
    counted(tradeCount, 'trade'),
    ...(significant ? ['significant'] : []),
  ].join(', ');

const luckWords = (best: Comparison['best']): string =>
  best
    ? `; the luckiest of them would reach a Sharpe ratio of ${writeNumber(best.luckiestSharpe)} without any skill`
    : '';
