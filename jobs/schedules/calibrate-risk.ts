import { randomUUID } from 'node:crypto';
import { calibrateRisk } from '../../compute/risk/calibrate-risk.js';
import { mergeLabelSums, type LabelSums } from '../../compute/risk/label-sums.js';
import type { StoredRiskCalibration } from '../../storage/candles/risk-calibrations.js';
import { leadingPair } from '../definitions/assess-risk.js';
import { calibrateRiskJob } from '../definitions/calibrate-risk.js';
import { defineSchedule } from './worker/schedule.js';
import { forEach } from './for-each.js';

/** One at a time, so that requests come first. */
const concurrency = 1;

/** Every night: whether the risk labels of the past foretold adverse moves, by pair and over all. */
export const calibrateRiskSchedule = defineSchedule({
  name: 'calibrate-risk',
  summary: 'compares the risk labels of all past hours with the moves that followed, by pair and over all',
  pattern: '0 30 3 * * *',
  limitMs: 1_800_000,
  async run({ settings, storage, queues, lease }, signal) {
    const { MARKET: market } = settings;
    const hourly = (await storage.series.list(market)).filter(({ interval }) => interval === '1h');
    const leading = hourly.find(
      ({ base, quote }) => base === leadingPair.base && quote === leadingPair.quote,
    );
    if (!leading) return `no candles of the leading pair ${leadingPair.base}/${leadingPair.quote}`;
    const options = { traceId: `calibrate-${randomUUID()}`, owner: 'schedule', signal };
    const found: LabelSums[] = [];
    const put = async (pair: StoredRiskCalibration['pair'], pairs: number, sums: LabelSums) => {
      const calibration = calibrateRisk(sums);
      if (!calibration) return;
      await lease.confirm();
      const stored = { market, pair, pairs, computedAt: new Date(), calibration };
      await storage.riskCalibrations.put(stored, lease.token);
    };
    await forEach(hourly, concurrency, async ({ base, quote, interval, digest }) => {
      const payload = { key: { market, base, quote, interval }, digest, leadingDigest: leading.digest };
      const { result } = await queues.run(calibrateRiskJob, payload, options);
      if (result.fromMs === null) return;
      found.push(result);
      await put({ base, quote }, 1, result);
    });
    await put(null, found.length, mergeLabelSums(found));
    return `labels of ${found.length} of ${hourly.length} pairs compared`;
  },
});
