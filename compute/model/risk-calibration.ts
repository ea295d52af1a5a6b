import { field, type Value, type Values } from './field.js';
import { nullReason, nullReasonOf } from './null-reason.js';
import { riskProfiles, tradeSides } from './risk-assessment.js';

/** How far ahead adverse moves are measured, in hours. */
export const calibrationHours = [24, 168] as const;

/** The labels from the mildest to the worst. */
export const labelsByRisk = ['low', 'moderate', 'tooRisky'] as const;

const percentOrNull = (text: string) => field.nullable(field.number(text, { unit: 'percent' }));

const labelOutcome = field.object('what followed the trades with a label', {
  label: field.choice('the label', riskProfiles),
  count: field.count('closed hours at which a trade had the label; the moves after them overlap'),
  sharePercent: percentOrNull('share of all closed hours'),
  meanPercent: percentOrNull('mean of the worst move against the position within the time, 0 or below'),
  lowPercent: percentOrNull('lower end of the 95 % interval of that mean'),
  highPercent: percentOrNull('upper end of that interval'),
  periods: field.count('periods of 28 days with the label: the interval counts these as independent'),
  reason: nullReason,
});

export type LabelOutcome = Value<typeof labelOutcome>;

const labelStep = field.object('a label against the next worse one', {
  from: field.choice('the milder label', riskProfiles),
  to: field.choice('the worse label', riskProfiles),
  differencePoints: field.nullable(
    field.number('mean adverse move of the worse label less that of the milder; below 0 is as it should be', {
      unit: 'points',
    }),
  ),
  adjustedP: field.nullable(
    field.number(
      'one-sided p-value of a difference this far below 0, corrected for the number of steps (Holm); null with fewer than 10 periods',
    ),
  ),
  reason: nullReason,
});

export type LabelStep = Value<typeof labelStep>;

const horizonCalibration = field.object('the labels over one time ahead', {
  hours: field.integer('time ahead', { unit: 'hours' }),
  labels: field.list('low, moderate, tooRisky', labelOutcome),
  steps: field.list('low to moderate, moderate to tooRisky', labelStep),
  holds: field.nullable(
    field.flag(
      'whether the mean adverse moves are ordered as the labels; null where a label occurred in fewer than two periods',
    ),
  ),
  holdsReason: nullReasonOf('holds'),
  isSignificant: field.flag('whether they are ordered beyond chance: both corrected p-values are below 0.05'),
});

export type HorizonCalibration = Value<typeof horizonCalibration>;

/** How well the risk labels of past hours foretold adverse moves. */
export const riskCalibrationFields = {
  from: field.text('close time of the first hour with a label, ISO 8601'),
  to: field.text('close time of the last hour with a label, ISO 8601'),
  sides: field.list(
    'long and short',
    field.object('one side', {
      side: field.choice('side of the trade', tradeSides),
      line: field.text('the outcome in a sentence'),
      horizons: field.list('24 hours and 7 days', horizonCalibration),
    }),
  ),
  method: field.text('how intervals and p-values are computed'),
};

export type RiskCalibration = Values<typeof riskCalibrationFields>;
