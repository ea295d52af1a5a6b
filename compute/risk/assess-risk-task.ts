import type { RiskAssessment } from '../model/risk-assessment.js';
import { assessTrade, type RiskInput } from './assess-risk.js';
import { defineTask } from '../task.js';

/** The risk of a trade on one side after the last closed 1h candle. Throws `not_enough_history`. */
export const assessRiskTask = defineTask({
  name: 'assess-risk',
  run: (input: RiskInput, scratch): RiskAssessment => assessTrade(input, scratch),
});
