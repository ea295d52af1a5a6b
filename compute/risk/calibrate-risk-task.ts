import { defineTask } from '../task.js';
import { sumLabels, type LabelSums, type LabelSumsInput } from './label-sums.js';

/** The adverse moves after the labels of all past hours of one asset, summed by periods. */
export const calibrateRiskTask = defineTask({
  name: 'calibrate-risk',
  run: (input: LabelSumsInput, scratch): LabelSums => sumLabels(input, scratch),
});
