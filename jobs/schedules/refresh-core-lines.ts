import { randomUUID } from 'node:crypto';
import { seriesId } from '../../storage/candles/series.js';
import { coreLineBasis } from '../definitions/core-line.js';
import { refreshCoreLineJob } from '../definitions/refresh-core-line.js';
import { defineSchedule } from './worker/schedule.js';
import { forEach } from './for-each.js';

/** Few at a time: what people ask meanwhile comes first. */
const lanes = 2;

/** After each hour's close, and again for candles that come late. */
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
    const overtaken = series.filter((each) => bases.get(seriesId(each)) !== coreLineBasis(each.digest));
    const asked = { traceId: `refresh-${randomUUID()}`, owner: 'schedule', signal };
    await forEach(overtaken, lanes, async ({ market, base, quote, interval, digest }) => {
      await queues.run(refreshCoreLineJob, { key: { market, base, quote, interval }, digest }, asked);
    });
    return `${overtaken.length} of ${series.length} core lines computed`;
  },
});
