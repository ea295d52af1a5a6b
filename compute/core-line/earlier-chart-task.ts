import { firstCandleFrom } from '../model/candles.js';
import { viewColumns } from '../model/core-line.js';
import { ScratchBuffers } from '../model/scratch-buffers.js';
import { known } from '../market/read-at.js';
import { defineTask, type SeriesQuestion } from '../task.js';
import { computeCoreLine } from './states.js';
import { drawnColumns } from './view.js';

/** The columns of a chart by name; null where the warm-up has no value. */
export type EarlierColumns = Record<(typeof viewColumns)[number], (number | null)[]>;

/** The last candles that opened before a time, with core line, band and states as they were after each. */
export const earlierChartTask = defineTask({
  name: 'earlier-chart',
  run(
    { candles, params }: SeriesQuestion<{ beforeMs: number; limit: number }>,
    scratch = new ScratchBuffers(),
  ): EarlierColumns {
    const to = firstCandleFrom(candles.time, params.beforeMs);
    const columns = drawnColumns(
      candles,
      computeCoreLine(candles, scratch),
      Math.max(0, to - params.limit),
      to,
    );
    const lists = viewColumns.map((name) => [name, Array.from(columns[name], known)] as const);
    return Object.fromEntries(lists) as EarlierColumns;
  },
});
