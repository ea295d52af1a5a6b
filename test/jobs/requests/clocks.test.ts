import assert from 'node:assert/strict';
import { coreLineJob } from '../../../jobs/definitions/core-line.js';
import { DepthLimit } from '../../../jobs/requests/depth-limit.js';
import { openTestService, type TestService } from '../../support/gateway/gateway.js';
import { randomCandles } from '../../support/candles/random-candles.js';
import { RoleChild } from '../../support/process/role-child.js';
import { until } from '../../support/process/until.js';

const pair = { market: 'csv', base: 'BTC', quote: 'USDT' } as const;
const key = { ...pair, interval: '1h' } as const;
const minuteMs = 60_000;

describe('a compute node whose clock differs from that of the gateway', function () {
  this.timeout(30_000);
  let service: TestService;
  let digest: string;
  before(async () => {
    service = await openTestService({ computeNodes: 0 });
    await service.storage.candles.add(pair, randomCandles(24 * 100));
    digest = (await service.storage.series.find(key))!.digest;
  });
  after(() => service.close());

  for (const [what, aheadMs] of [
    ['is ahead', 2 * minuteMs],
    ['is behind', -2 * minuteMs],
  ] as const)
    it(`answers where it ${what}`, async () => {
      const shift = `data:text/javascript,const{now}=Date;Date.now=()=>now()+${aheadMs}`;
      const node = await RoleChild.start('compute', {
        ...{ REDIS_URL: service.redisUrl, MONGODB_URL: service.mongodbUrl },
        NODE_OPTIONS: `--import=${shift}`,
      });
      try {
        // A new request for each node: an equal one would be answered without it.
        const asked = { key, digest: `${digest} ${what}` };
        const { result } = await service.deps.queues.run(coreLineJob, asked, { traceId: 'test' });
        assert.equal(typeof result.basis, 'string');
        const started = /^\{.*"process started".*$/m.exec(node.log)![0];
        const { time } = JSON.parse(started) as { time: string | number };
        const told = new Date(time).getTime();
        assert.ok(Math.abs(told - Date.now() - aheadMs) < minuteMs, 'the clock of the node was not set');
      } finally {
        await node.kill();
      }
    });
});

describe('the depth limit of a queue', () => {
  const ownNow = Date.now;
  afterEach(() => {
    Date.now = ownNow;
  });

  it('is counted again after the clock of the gateway was set back', async () => {
    const limit = new DepthLimit({ getJobCountByTypes: async () => 0 }, 3);
    await limit.take();
    Date.now = () => ownNow() - 60 * minuteMs;
    let taken = 0;
    await until('more than fit at once', async () => {
      const isTaken = await limit.take().then(
        () => true,
        () => false,
      );
      return isTaken && ++taken > 6;
    });
  });
});
