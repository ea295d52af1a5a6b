import { reportVolume, type VolumeReport } from '../market/volume.js';
import { defineTask, type SeriesQuestion } from '../task.js';

/** How much is traded, on which side, and at which prices. Throws `not_enough_history`. */
export const volume = defineTask({
  name: 'volume',
  run: (question: SeriesQuestion): VolumeReport => reportVolume(question),
});
