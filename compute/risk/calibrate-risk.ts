import { holmOrNull, significance } from '../metrics/holm.js';
import { jackknifeInterval, jackknifeMean, type PeriodSum } from '../metrics/ratio-jackknife.js';
import { studentP } from '../metrics/student.js';
import { tradeSides, type RiskProfile, type TradeSide } from '../model/risk-assessment.js';
import {
  calibrationHours,
  labelsByRisk,
  type HorizonCalibration,
  type LabelOutcome,
  type LabelStep,
  type RiskCalibration,
} from '../model/risk-calibration.js';
import type { LabelSums } from './label-sums.js';

/** The fewest periods for an interval or a p-value. */
const fewestPeriods = 10;

const method =
  "intervals and p-values: delete-one-period jackknife over periods of 28 days (Miller, 1974) with Student's distribution, " +
  'because the moves after neighbouring hours overlap and volatility clusters; p-values corrected by Holm';

/** Whether the labels of past hours foretold adverse moves; null without an hour that has a label. */
export function calibrateRisk(sums: LabelSums): RiskCalibration | null {
  if (sums.fromMs === null || sums.toMs === null) return null;
  return {
    from: new Date(sums.fromMs).toISOString(),
    to: new Date(sums.toMs).toISOString(),
    sides: tradeSides.map((side) => {
      const horizons = calibrationHours.map((_, n) => calibrateHorizon(sums, side, n));
      return { side, line: lineOf(side, horizons), horizons };
    }),
    method,
  };
}

function calibrateHorizon({ periods }: LabelSums, side: TradeSide, horizon: number): HorizonCalibration {
  const of = (label: RiskProfile) => periods.map(({ sums }) => sums[side][horizon][label]);
  const total = labelsByRisk.flatMap(of).reduce((sum, { count }) => sum + count, 0);
  const labels = labelsByRisk.map((label) => outcomeOf(label, of(label), total));
  const tested = labelsByRisk.slice(1).map((to, n) => testStep(labelsByRisk[n], to, of));
  const adjusted = holmOrNull(tested.map(({ p }) => p));
  const steps = tested.map(({ from, to, differencePoints, reason }, n): LabelStep => {
    return { from, to, differencePoints, adjustedP: adjusted[n], reason };
  });
  const isKnown = steps.every(({ differencePoints }) => differencePoints !== null);
  return {
    hours: calibrationHours[horizon],
    labels,
    steps,
    holds: isKnown ? steps.every(({ differencePoints }) => differencePoints! < 0) : null,
    holdsReason: isKnown ? null : whyNoOrder(labels),
    isSignificant: steps.every(({ adjustedP }) => adjustedP !== null && adjustedP < significance),
  };
}

/** Why labels have no order: a difference needs two periods with each label. */
const whyNoOrder = (labels: readonly LabelOutcome[]): string =>
  labels.some(({ count }) => count === 0)
    ? 'a label never occurred'
    : 'a label occurred in fewer than two periods of 28 days';

function outcomeOf(label: RiskProfile, sums: readonly PeriodSum[], total: number): LabelOutcome {
  const count = sums.reduce((all, each) => all + each.count, 0);
  const periods = sums.filter((each) => each.count > 0).length;
  const jackknife = periods < fewestPeriods ? null : jackknifeMean(sums);
  const interval = jackknife && jackknifeInterval(jackknife);
  return {
    label,
    count,
    sharePercent: total === 0 ? null : (100 * count) / total,
    meanPercent: count === 0 ? null : sums.reduce((all, each) => all + each.sum, 0) / count,
    lowPercent: interval?.low ?? null,
    highPercent: interval?.high ?? null,
    periods,
    reason: reasonOf(count, periods),
  };
}

function reasonOf(count: number, periods: number): string | null {
  if (count === 0) return 'no hour had the label';
  if (periods >= fewestPeriods) return null;
  return `an interval needs ${fewestPeriods} periods of 28 days with the label, found ${periods}`;
}

/** The worse label against the milder: a one-sided test that its moves are worse. */
function testStep(from: RiskProfile, to: RiskProfile, of: (label: RiskProfile) => PeriodSum[]) {
  const difference = jackknifeMean(of(to), of(from));
  const differencePoints = difference?.value ?? null;
  const periods = (difference?.degrees ?? -1) + 1;
  if (!difference || periods < fewestPeriods) {
    const reason = difference
      ? `a p-value needs ${fewestPeriods} periods of 28 days with a label, found ${periods}`
      : 'one of the labels occurred in fewer than two periods of 28 days';
    return { from, to, differencePoints, p: null, reason };
  }
  if (!(difference.error > 0)) {
    const reason = 'the difference does not vary between periods of 28 days';
    return { from, to, differencePoints, p: null, reason };
  }
  const t = difference.value / difference.error;
  const twoSided = studentP(t, difference.degrees);
  return { from, to, differencePoints, p: t < 0 ? twoSided / 2 : 1 - twoSided / 2, reason: null };
}

const shown = (percent: number | null) => (percent === null ? 'none' : `${percent.toFixed(2)} %`);

/** The outcome of a side in a sentence. */
function lineOf(side: TradeSide, horizons: readonly HorizonCalibration[]): string {
  const parts = horizons.map(({ hours, labels, holds, isSignificant }) => {
    const means = labels.map(({ label, meanPercent }) => `${label} ${shown(meanPercent)}`).join(', ');
    const order =
      holds === null
        ? whyNoOrder(labels)
        : !holds
          ? 'the order of the labels does not hold'
          : isSignificant
            ? 'the order of the labels holds'
            : 'the order of the labels holds, but not beyond chance';
    return `within ${hours === 24 ? '24 hours' : '7 days'} ${means}: ${order}`;
  });
  return `Mean worst move against past ${side} trades ${parts.join('; ')}.`;
}
