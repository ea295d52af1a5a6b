import { randomUUID } from 'node:crypto';
import { seriesId } from '../../storage/candles/series.js';
import { coreLineBasis } from '../definitions/core-line.js';
import { refreshCoreLineJob } from '../definitions/refresh-core-line.js';
import { defineSchedule } from './worker/schedule.js';
import { forEach } from './for-each.js';

/** Few at a time, so that requests come first. */
const concurrency = 2;

/** After each hour's close, and again for late candles. */
export const refreshCoreLinesSchedule = defineSchedule({
  name: 'refresh-core-lines',
  summary: 'computes and stores the core line of every series that has a new candle, for light reads',
  pattern: '5,35 0-4,10,20,40 * * * *',
  limitMs: 600_000,
  async run({ settings, storage, queues }, signal) {
    const [series, bases] = await Promise.all([
      storage.series.list(settings.MARKET),
      storage.coreLines.bases(settings.MARKET),
    ]);
    const outdated = series.filter((each) => bases.get(seriesId(each)) !== coreLineBasis(each.digest));
    const options = { traceId: `refresh-${randomUUID()}`, owner: 'schedule', signal };
    await forEach(outdated, concurrency, async ({ market, base, quote, interval, digest }) => {
      await queues.run(refreshCoreLineJob, { key: { market, base, quote, interval }, digest }, options);
    });
    return `${outdated.length} of ${series.length} core lines computed`;
  },
});
