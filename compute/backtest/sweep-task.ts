import { sweepChunk, type SweepChunk, type SweepParams, type SweepRange } from './sweep.js';
import { defineTask, type SeriesQuestion } from '../task.js';

/** A chunk of a parameter sweep. Throws `not_enough_history`. */
export const sweepTask = defineTask({
  name: 'sweep',
  phases: ['backtest'],
  run: (
    { candles, interval, params }: SeriesQuestion<SweepParams & { range: SweepRange }>,
    scratch,
    onProgress,
  ): SweepChunk => sweepChunk(candles, interval, params, params.range, scratch, onProgress),
});
