import assert from 'node:assert/strict';
import { calibrateRisk } from '../../../compute/risk/calibrate-risk.js';
import { mergeLabelSums, sumLabels } from '../../../compute/risk/label-sums.js';
import { calibrateRiskSchedule } from '../../../jobs/schedules/calibrate-risk.js';
import { openTestMarket, type TestMarket } from '../../support/candles/market.js';
import { scheduleToolsOf } from '../../support/jobs/schedule-tools.js';

const market = 'csv';

/** Answers have twelve significant digits. */
const rounded = (data: unknown): unknown =>
  JSON.parse(JSON.stringify(data), (_, value: unknown) =>
    typeof value === 'number' ? Number(value.toPrecision(11)) : value,
  );

describe('the schedule that calibrates the risk label', function () {
  this.timeout(60_000);
  let opened: TestMarket;
  before(async () => (opened = await openTestMarket()));
  after(() => opened.service.close());
  const run = () => calibrateRiskSchedule.run(scheduleToolsOf(opened.service), new AbortController().signal);
  const ask = async (body: object) => {
    const response = await fetch(`${opened.service.url}/backend/analysis/risk-calibration`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    return ((await response.json()) as { payload: { calibration: unknown; reason: string | null } }).payload;
  };

  it('has nothing to serve before it has run, and says why', async () => {
    const { calibration, reason } = await ask({});
    assert.equal(calibration, null);
    assert.match(reason!, /^the market has no calibration yet: it is computed nightly/);
  });

  it('stores what the labels of every pair and of all pairs came to, and serves it', async () => {
    assert.equal(await run(), 'labels of 3 of 4 pairs compared');
    const { candles, riskCalibrations } = opened.service.storage;
    const load = async (base: string, quote: string) =>
      (await candles.load({ market, base, quote, interval: '1h' }))!.candles;
    const leading = await load('BTC', 'USDT');
    const sums = [
      sumLabels({ candles: leading, leading, isLeading: true }),
      sumLabels({ candles: await load('ETH', 'USDT'), leading, isLeading: false }),
      sumLabels({ candles: await load('ETH', 'BTC'), leading, isLeading: false }),
    ];
    const eth = (await riskCalibrations.find({ market, pair: { base: 'ETH', quote: 'USDT' } }))!;
    assert.deepEqual([eth.pairs, eth.calibration], [1, calibrateRisk(sums[1])]);
    const all = (await riskCalibrations.find({ market, pair: null }))!;
    const { method, ...expected } = calibrateRisk(mergeLabelSums(sums))!;
    assert.deepEqual([all.pairs, all.calibration.method], [3, method]);
    assert.deepEqual([all.calibration.from, all.calibration.to], [expected.from, expected.to]);
    const means = ({ sides }: typeof expected) =>
      sides.flatMap(({ horizons }) =>
        horizons.flatMap(({ labels }) =>
          labels.map(({ count, meanPercent }) => [count, meanPercent?.toFixed(9)]),
        ),
      );
    assert.deepEqual(means(all.calibration), means(expected));
    const served = await ask({ asset: 'ETH' });
    const stored = { pairs: 1, computedAt: eth.computedAt.toISOString(), ...eth.calibration };
    assert.deepEqual(rounded(served.calibration), rounded(stored));
    assert.equal(served.reason, null);
    const { calibration, reason } = await ask({ asset: 'NEW' });
    assert.equal(calibration, null);
    assert.match(reason!, /^"NEW\/USDT" has no calibration yet/);
  });

  it('comes to the same when it runs again, and leaves one document for each pair and one for all', async () => {
    const { riskCalibrations } = opened.service.storage;
    const first = (await riskCalibrations.find({ market, pair: null }))!;
    await run();
    const second = (await riskCalibrations.find({ market, pair: null }))!;
    assert.deepEqual(second.calibration.sides, first.calibration.sides);
    assert.ok(second.computedAt > first.computedAt);
    assert.equal(
      await opened.service.storage.expiring.drop('risk_calibrations', new Date(Date.now() + 1_000)),
      4,
    );
  });

  it('does not overwrite what a later run has stored', async () => {
    const { riskCalibrations } = opened.service.storage;
    await run();
    const stored = (await riskCalibrations.find({ market, pair: null }))!;
    await riskCalibrations.put(stored, 7);
    await assert.rejects(run(), { code: 'lease_lost' });
  });
});
