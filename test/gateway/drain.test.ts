import assert from 'node:assert/strict';
import { createGateway } from '../../gateway/app.js';
import { drain } from '../../gateway/drain.js';
import { openTestMarket } from '../support/candles/market.js';
import { askForEvents, type LastEvent } from '../support/gateway/event-answer.js';
import type { TestService } from '../support/gateway/gateway.js';
import { until } from '../support/process/until.js';
import { listenLocally } from '../support/servers/listen-locally.js';
import { within } from '../support/process/within.js';

describe('a gateway that drains', () => {
  let service: TestService;
  let token: string;
  before(async () => {
    ({ service, token } = await openTestMarket({ computeNodes: 0 }));
  });
  after(() => service.close());

  it('ends streams and answers whose jobs take longer than it waits with 503, and no connection is cut', async () => {
    const server = createGateway(service.deps);
    const url = `${await listenLocally(server)}/backend/core-line/backtest`;
    const headers = { 'session-token': token };
    const stream = await askForEvents({ url, body: { asset: 'BTC' }, headers });
    const plain = askForEvents({ url, body: { asset: 'BTC' }, headers: { ...headers, Accept: '*/*' } });
    await until('both calls', () => service.deps.queues.waiterCount === 2);
    // At the limit nothing is cut off here: the drain ends only if every answer does.
    server.closeAllConnections = () => undefined;
    const started = performance.now();
    await within('the end', drain(server, service.deps.queues, 1_500));
    assert.ok(performance.now() - started > 450);

    assert.deepEqual(await stream.ended, { whole: true });
    const { name, data } = stream.events.at(-1)!;
    const { status, retryAfterSeconds, body } = data as LastEvent;
    assert.deepEqual([name, status, retryAfterSeconds], ['error', 503, 1]);
    assert.deepEqual(body, {
      result: { type: 'CRITICAL' },
      payload: {
        message: 'this gateway is closing; ask again',
        requestId: stream.headers['x-request-id'],
      },
    });
    const answer = await plain;
    assert.deepEqual(await answer.ended, { whole: true });
    assert.deepEqual([answer.status, answer.headers['retry-after']], [503, '1']);
    assert.equal(service.deps.queues.waiterCount, 0);
  });
});
