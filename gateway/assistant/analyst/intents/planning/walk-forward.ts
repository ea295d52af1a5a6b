import type { Answered } from '../../answered.js';
import { decidedArgs } from '../../decided-args.js';
import { writeNumber, writePercent } from '../../format.js';
import { defineIntent } from '../../intent.js';
import { counted, signed } from '../../market-words.js';
import { strategyTitle } from '../../strategy-title.js';

type WalkForward = Answered<'walk-forward'>;

const verdicts: Readonly<Record<WalkForward['verdict'], string>> = {
  robust: 'holds up',
  moderate: 'holds up in part',
  weak: 'does not hold up well',
  overfitted: 'looks overfitted',
};

export const walkForwardIntent = defineIntent<WalkForward>({
  name: 'walk-forward',
  title: 'whether a strategy holds up on data it was not fitted on',
  tool: 'run_walk_forward',
  phrases: [
    'is {strategy} on {asset} overfitted',
    'walk forward {strategy} {asset}',
    'does {strategy} hold up out of sample on {asset}',
    'walk-forward of {strategy} on {asset} with {count} folds',
    'how robust is {strategy} on {asset}',
    'out of sample check of {strategy} for {asset} on {interval}',
    'is that robust out of sample',
    'does {strategy} survive on unseen data of {asset}',
    'curve fitting check {strategy} {asset}',
    'would {strategy} have worked on new data of {asset}',
    'test {strategy} on {asset} for overfitting',
    'can i trust {strategy} on {asset}',
    'does {strategy} still work on later data of {asset}',
    'is {strategy} curve fitted to {asset}',
    'was {strategy} tuned too much on {asset}',
    'train and test {strategy} on {asset}',
    'in sample versus out of sample {strategy} on {asset}',
    'do the parameters of {strategy} stay stable on {asset}',
    'rolling optimisation of {strategy} on {asset}',
    'does the edge of {strategy} on {asset} persist',
    'optimise {strategy} on {asset} and check it on later data',
    'is {strategy} on {asset} just curve fitting',
    'is the result of {strategy} on {asset} real or overfitted',
    'will {strategy} parameters on {asset} generalise to new data',
    'walk forward {strategy} {asset} {count} folds {trainRatio}',
    'robustness check {strategy} on {asset}',
    'check {strategy} on {asset} out of sample',
    'walk forward {strategy} on {asset} with a train ratio of {trainRatio}',
    'out of sample test of {strategy} on {asset} with {count} folds',
    'walk forward test',
    'is {strategy} on {asset} overfitted check it with {count} folds',
  ],
  needs: { asset: 'Which asset do you mean?' },
  takes: ['strategy', 'interval', 'count', 'tradeMarket', 'trainRatio'],
  args: ({ asset, strategy, interval, count, tradeMarket, trainRatio }) =>
    decidedArgs({
      asset,
      interval,
      strategy,
      folds: count === undefined ? undefined : Math.min(10, Math.max(2, count)),
      train_ratio: trainRatio,
      trade_market: tradeMarket,
    }),
  answer: (
    { asset, interval, verdict, folds, outOfSample, benchmark, profitableTests, ...rest },
    { strategy },
  ) => ({
    lead: `${strategyTitle(strategy ?? 'trend_state')} on ${asset} (${interval}) ${verdicts[verdict]} out of sample: the verdict is ${verdict}.`,
    figures: [
      `All ${counted(folds.length, 'test')} together returned ${outOfSample.totalReturn === null ? 'an unknown amount' : signed(outOfSample.totalReturn)}${benchmark.totalReturn === null ? '' : `, buying and holding ${signed(benchmark.totalReturn)}`}; ${writePercent(profitableTests)} of the tests gained.`,
      ...sharpeWords(outOfSample.sharpe, rest),
      ...(rest.degradation === null
        ? []
        : [
            `The Sharpe ratio of the tests was ${writeNumber(rest.degradation)} times that of the trainings.`,
          ]),
    ],
    caveat: `${counted(outOfSample.tradeCount, 'trade')} ${outOfSample.tradeCount === 1 ? 'was' : 'were'} closed in the tests${outOfSample.tradeCount < 30 ? ', which is few' : ''}; the next months may differ from all of them.`,
  }),
});

const sharpeWords = (
  sharpe: number | null,
  { sharpeLow, sharpeHigh }: Pick<WalkForward, 'sharpeLow' | 'sharpeHigh'>,
): string[] => {
  if (sharpe === null) return [];
  const range =
    sharpeLow === null || sharpeHigh === null
      ? ''
      : `, with a confidence interval from ${writeNumber(sharpeLow)} to ${writeNumber(sharpeHigh)}${sharpeLow < 0 && sharpeHigh > 0 ? ', so it may be nothing' : ''}`;
  return [`The Sharpe ratio of the tests is ${writeNumber(sharpe)}${range}.`];
};
