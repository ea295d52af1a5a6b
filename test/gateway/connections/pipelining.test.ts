import assert from 'node:assert/strict';
import { openTestMarket } from '../../support/candles/market.js';
import type { TestService } from '../../support/gateway/gateway.js';
import { openSocket, rawExchange } from '../../support/gateway/raw-http.js';
import { headAt } from '../../support/gateway/raw-requests.js';
import { until } from '../../support/process/until.js';
import { Scrape } from '../../support/servers/scrape.js';

const json = (path: string, body: object, headers = '') => {
  const text = JSON.stringify(body);
  return `${headAt(path)}${headers}Content-Length: ${text.length}\r\n\r\n${text}`;
};
const healthz = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';
/** Takes a moment: the password is hashed. */
const signIn = json('/backend/login', { email: 'ada@example.com', password: 'a wrong password' });

/** What follows a good request at once, and how it is answered. */
const followers: Record<string, [status: number, bytes: string]> = {
  'bytes that are not HTTP': [400, 'nonsense\r\n\r\n'],
  'a wrong header': [400, 'GET /healthz HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n'],
  'headers that are too large': [431, `GET / HTTP/1.1\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`],
  'a wrong chunk': [400, `${headAt('/backend/login')}Transfer-Encoding: chunked\r\n\r\nzz\r\n`],
  CONNECT: [405, 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n'],
  'an unknown expectation': [417, 'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: junk\r\n\r\n'],
  'the version HTTP/2.0': [505, 'GET /healthz HTTP/2.0\r\nHost: x\r\n\r\n'],
  'a body that does not come': [404, 'POST /nope HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n'],
};

describe('requests that are sent at once', () => {
  let service: TestService;
  let token: string;

  before(async () => {
    ({ service, token } = await openTestMarket({ computeNodes: 0, measured: true }));
  });
  after(() => service.close());

  for (const [what, [status, bytes]] of Object.entries(followers))
    it(`keep their answers, in order, when the last is followed by ${what}`, async () => {
      const { answers, closed } = await rawExchange(service.url, [signIn + healthz + bytes + healthz]);
      assert.deepEqual(
        answers.map(({ status }) => status),
        [401, 200, status],
      );
      assert.equal(answers[2].headers.connection, 'close');
      assert.ok(closed);
    });

  it('keep their answers when the last does not arrive in time', async function () {
    this.timeout(60_000);
    const { answers, closed } = await rawExchange(service.url, [healthz, 'GET /hea']);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 408],
    );
    assert.ok(closed);
  });

  it('are not answered after one that ends the connection', async () => {
    const last = healthz.replace('Host: x', 'Host: x\r\nConnection: close');
    const { answers, closed } = await rawExchange(service.url, [healthz + last + healthz]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    );
    assert.ok(closed);
  });

  it('are answered one after the other', async () => {
    const inFlight = async () =>
      new Scrape(await service.metrics.gateway.registry.metrics()).sum('tidemark_http_requests_in_flight');
    const backtests = [1, 2, 3, 4, 5].map((feePercent) =>
      json('/backend/core-line/backtest', { asset: 'BTC', feePercent }, `session-token: ${token}\r\n`),
    );
    const socket = openSocket(service.url);
    try {
      socket.write(backtests.join(''));
      // No compute node runs, so that the first one waits.
      await until('a question', () => service.deps.queues.waiterCount > 0);
      assert.deepEqual([await inFlight(), service.deps.queues.waiterCount], [1, 1]);
    } finally {
      socket.destroy();
    }
    await until('the end of all', async () => (await inFlight()) === 0);
    assert.equal(service.deps.queues.waiterCount, 0);
  });

  it('are answered up to the 101st; then the connection ends, for the others to be sent on another', async () => {
    // The answer to the first lasts until its session ends, so that all have come before the second is answered.
    const leaving = await service.signIn();
    const stream = `GET /backend/stream?topics=positions HTTP/1.1\r\nHost: x\r\nsession-token: ${leaving}\r\n`;
    const ids = Array.from({ length: 150 }, (_, n) => `n${n}`);
    const requests = ids.map((id, n) =>
      (n === 0 ? `${stream}\r\n` : healthz).replace('Host: x', `Host: x\r\nx-request-id: ${id}`),
    );
    const { answers, closed } = await rawExchange(service.url, [requests.join('')], {
      async onRead() {
        await until('the stream', () => service.deps.live.size === 1);
        await service.post('/backend/logout', {}, { 'session-token': leaving });
      },
    });
    assert.deepEqual(
      answers.map(({ status, headers }) => [status, headers['x-request-id'], headers.connection]),
      ids.slice(0, 101).map((id, n) => [200, id, n === 100 ? 'close' : 'keep-alive']),
    );
    assert.ok(closed);
  });
});
