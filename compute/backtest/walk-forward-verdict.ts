import { field, type Values } from '../model/field.js';
import type { SharpeInterval } from '../metrics/sharpe-error.js';
import type { Figures } from './report.js';

const verdicts = ['robust', 'moderate', 'weak', 'overfitted'] as const;

/** The verdict of a walk-forward. */
export const verdictFields = {
  verdict: field.choice('how robust the strategy is', verdicts),
  reason: field.text('why, in a sentence with the numbers'),
  degradation: field.nullable(
    field.number(
      'mean Sharpe ratio of the tests divided by that of the trainings; null where the trainings gained nothing',
    ),
  ),
  profitableTests: field.number('share of the tests that ended with a gain', { unit: 'percent' }),
  sharpeLow: field.nullable(
    field.number(
      'lower end of the 95 % interval of the annualised Sharpe ratio over all tests (Mertens, 2002); null where equity does not vary',
    ),
  ),
  sharpeHigh: field.nullable(field.number('upper end of that interval')),
};

export type RobustnessVerdict = Values<typeof verdictFields>;

/** The figures of one fold that the verdict rests on. */
interface FoldFigures {
  inSample: Pick<Figures, 'sharpe'>;
  outOfSample: Pick<Figures, 'sharpe' | 'totalReturn'>;
}

/** The least share of the training's Sharpe ratio that the tests keep, and the least percentage of tests with a gain. */
const limits = { robust: { kept: 0.7, profitable: 60 }, moderate: { kept: 0.4, profitable: 50 } } as const;

/** All tests one after the other, and buy and hold over them. */
interface JoinedTests {
  totalReturn: number;
  benchmarkReturn: number;
  sharpe: SharpeInterval;
}

/**
 * Robust: at least 0.7 of the Sharpe ratio kept, 60 % of tests with a gain. Moderate: 0.4 and 50 %. Overfitted: training
 * gained and the tests as a whole did not. Weak: all else, and losses of a strategy with a single combination, to which
 * nothing was fitted. Robust and moderate also require that all tests together gain, that they gain more than buy and
 * hold, and that the 95 % interval of their Sharpe ratio is above 0. Without the last two conditions, a fifth of all
 * strategies on prices without memory passed.
 */
export function judgeWalkForward(
  folds: readonly FoldFigures[],
  { totalReturn, benchmarkReturn, sharpe }: JoinedTests,
  combinations: number,
): RobustnessVerdict {
  const average = (side: 'inSample' | 'outOfSample') =>
    folds.reduce((sum, fold) => sum + (fold[side].sharpe ?? 0), 0) / folds.length;
  const [trained, tested] = [average('inSample'), average('outOfSample')];
  const degradation = trained > 0 ? tested / trained : null;
  const gains = folds.filter((fold) => (fold.outOfSample.totalReturn ?? 0) > 0).length;
  const profitableTests = (100 * gains) / folds.length;
  const gained = totalReturn > 0;
  const isProven = gained && totalReturn > benchmarkReturn && sharpe.low !== null && sharpe.low > 0;
  const reaches = ({ kept, profitable }: { kept: number; profitable: number }) =>
    isProven && degradation !== null && degradation >= kept && profitableTests >= profitable;
  const verdict = reaches(limits.robust)
    ? 'robust'
    : reaches(limits.moderate)
      ? 'moderate'
      : trained > 0 && !gained && combinations > 1
        ? 'overfitted'
        : 'weak';
  const reason =
    `Sharpe ratio ${trained.toFixed(2)} in training and ${tested.toFixed(2)} in the tests; ` +
    `${gains} of ${folds.length} tests ended with a gain. All tests together return ${totalReturn.toFixed(2)} %, ` +
    `buy and hold ${benchmarkReturn.toFixed(2)} %; ${intervalText(sharpe)}.`;
  return { verdict, reason, degradation, profitableTests, sharpeLow: sharpe.low, sharpeHigh: sharpe.high };
}

const intervalText = ({ low, high }: SharpeInterval): string =>
  low === null
    ? 'their equity does not vary, so it has no Sharpe ratio'
    : `the 95 % interval of their Sharpe ratio is ${low.toFixed(2)} to ${high!.toFixed(2)}`;
