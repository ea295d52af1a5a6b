import { defineTask } from '../task.js';
import { sumLabels, type LabelSums, type LabelSumsInput } from './label-sums.js';
import type { RiskAssessment } from '../model/risk-assessment.js';
import { assessTrade, type RiskInput } from './assess-risk.js';

/** The risk of a trade on one side after the last closed 1h candle. Throws `not_enough_history`. */
export const assessRiskTask = defineTask({
  name: 'assess-risk',
  run: (input: RiskInput, scratch): RiskAssessment => assessTrade(input, scratch),
});

/** The adverse moves after the labels of all past hours of one asset, summed by periods. */
export const calibrateRiskTask = defineTask({
  name: 'calibrate-risk',
  run: (input: LabelSumsInput, scratch): LabelSums => sumLabels(input, scratch),
});
