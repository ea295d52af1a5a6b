import assert from 'node:assert/strict';
import type { ResultsRecord, TradedRecord, TrackRecord } from '../../../../compute/model/track-record.js';
import { openTestService, type TestService } from '../../../support/gateway/gateway.js';

const results = (expectancyR: number | null): ResultsRecord => ({
  ...{ traded: expectancyR === null ? 0 : 3, openLosers: 1, hitRatePercent: 50 },
  ...{ expectancyR, expectancyInterval: { low: -1, high: 6, reason: null }, maxDrawdownR: 1 },
});
const traded = (expectancyR: number | null): TradedRecord => ({
  ...results(expectancyR),
  ...{ followers: 7, medianSlippagePercent: 0.1, medianDeliverySlippagePercent: 0.2 },
});

/** However good a channel is on paper, its rank is that of trades with money. */
const record = (signals: number, expectancyR: number | null): TrackRecord => ({
  ...{ signals, cancelled: 1, expired: 2, ...traded(expectancyR), paper: traded(-9 * (expectancyR ?? -1)) },
  reference: { ...results(-2), unpriced: 3 },
});

describe('POST /backend/analysis/channel-performance', () => {
  let service: TestService;
  const ids: string[] = [];
  const ask = (body: object) => service.post('/backend/analysis/channel-performance', body);
  const order = async (body: object) =>
    ((await ask(body)).payload.channels as { channel: string }[]).map(({ channel }) => channel);

  before(async () => {
    service = await openTestService({ computeNodes: 0 });
    const { partners, channels, channelRecords } = service.storage;
    await partners.add('Partner', await service.deps.exchanges.exchanges.box());
    const [{ id: partnerId }] = await partners.list();
    for (const [name, year, quarter] of [
      ['Slow', record(30, 0.2), record(5, 0.4)],
      ['Best', record(40, 0.9), record(25, -0.5)],
      ['Few', record(3, 5), record(3, 5)],
      ['None', record(50, null), record(50, null)],
    ] as const) {
      const { id } = await channels.add({ partnerId, name });
      ids.push(id);
      const records = { '3M': quarter, '6M': quarter, '1y': year };
      await channelRecords.put({ channelId: id, due: {} }, records, new Date());
    }
    await channels.add({ partnerId, name: 'New' });
  });
  after(() => service.close());

  it('ranks channels of enough signals by expectancy, those without one last', async () => {
    assert.deepEqual(await order({}), ['Best', 'Slow', 'None']);
    assert.deepEqual(await order({ period: '3M' }), ['Best', 'None']);
    assert.deepEqual(await order({ minSignals: 0 }), ['Few', 'Best', 'Slow', 'None', 'New']);
    const { payload } = await ask({ limit: 1 });
    assert.deepEqual([payload.total, payload.channels.length], [3, 1]);
    assert.deepEqual(payload.channels[0], {
      ...{ id: ids[1], channel: 'Best', partner: 'Partner' },
      ...record(40, 0.9),
    });
  });

  it('shows one channel by name or id, however few signals it has', async () => {
    assert.deepEqual(await order({ channel: 'Few' }), ['Few']);
    assert.deepEqual(await order({ channel: ids[0] }), ['Slow']);
    const { payload } = await ask({ channel: 'New' });
    assert.deepEqual([payload.channels[0].signals, payload.channels[0].expectancyR], [0, null]);
  });

  it('refuses a channel that does not exist, and asks what was meant', async () => {
    const { status, result, payload } = await ask({ channel: 'Bes' });
    assert.deepEqual([status, result.type], [400, 'INVALID_INPUT_CHANNEL']);
    assert.equal(payload.message, 'there is no channel "Bes"; did you mean "Best"?');
  });
});
