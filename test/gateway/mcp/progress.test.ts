import assert from 'node:assert/strict';
import type { Progress } from '@modelcontextprotocol/client';
import { momentumAnalysis } from '../../../compute/market/momentum-analysis.js';
import { analysisJob } from '../../../jobs/definitions/shared/analysis-job.js';
import { openTestMarket } from '../../support/candles/market.js';
import type { TestService } from '../../support/gateway/gateway.js';
import { openHeldNode, type HeldNode } from '../../support/jobs/held-node.js';
import { connectMcp } from '../../support/mcp/mcp-client.js';
import { until } from '../../support/process/until.js';

const params = { name: 'get_momentum_reading', arguments: { asset: 'BTC' } };

describe('progress of a tool call', () => {
  let service: TestService;
  let node: HeldNode;

  before(async () => ({ service } = await openTestMarket({ computeNodes: 0 })));
  beforeEach(async () => (node = await openHeldNode(service.redisUrl, analysisJob(momentumAnalysis))));
  afterEach(() => node.close());
  after(() => service.close());

  for (const mode of ['legacy', { pin: '2026-07-28' }] as const) {
    it(`rises with each message, which come without news as well (${JSON.stringify(mode)})`, async () => {
      const { client, close } = await connectMcp(service.url, {}, '', { versionNegotiation: { mode } });
      const heard: Progress[] = [];
      const call = client.callTool(params, {
        onprogress: (progress) => heard.push(progress),
      });
      await until('the job to run', () => node.started === 1);
      node.report('reading', 0.4);
      await until('progress of the job', () => heard.some(({ progress }) => progress === 0.4));
      // A figure that falls is not passed on.
      node.report('reading', 0.2);
      await until(
        'progress without news, twice',
        () => heard.filter(({ progress }) => progress > 0.4).length >= 2,
      );
      node.fail();
      await call;
      await close();

      const figures = heard.map(({ progress }) => progress);
      assert.deepEqual(
        figures,
        [...new Set(figures)].sort((a, b) => a - b),
      );
      assert.ok(figures.every((figure) => figure >= 0 && figure < 1));
      assert.ok(heard.every(({ total }) => total === 1));
      assert.equal(heard.at(-1)!.message, 'reading');
    });
  }

  it('is not sent to a client that does not ask for it', async () => {
    const { client, close } = await connectMcp(service.url);
    const heard: unknown[] = [];
    client.setNotificationHandler('notifications/progress', (message) => void heard.push(message));
    const call = client.callTool(params);
    await until('the job to run', () => node.started === 1);
    node.report('reading', 0.4);
    node.fail();
    await call;
    assert.deepEqual(heard, []);
    await close();
  });
});
