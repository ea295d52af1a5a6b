import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { openTestMarket } from '../../support/candles/market.js';
import type { TestService } from '../../support/gateway/gateway.js';
import { openSocket } from '../../support/gateway/raw-http.js';
import { headAt } from '../../support/gateway/raw-requests.js';
import { logLines } from '../../support/process/log-lines.js';
import { until } from '../../support/process/until.js';

const path = '/backend/core-line/chart';
const crowdAddress = '203.0.113.7';
const body = '{"asset":"BTC","interval":"1h"}';
const chart = `${headAt(path)}X-Forwarded-For: ${crowdAddress}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const chartsEach = 20;

describe('connections that send many requests each and read nothing', () => {
  const { log, lines } = logLines();
  let service: TestService;
  const sockets: Socket[] = [];

  const openCrowd = (size: number) => {
    for (let n = 0; n < size; n++) {
      const socket = openSocket(service.url);
      socket.on('error', () => undefined).pause();
      socket.write(chart.repeat(chartsEach));
      sockets.push(socket);
    }
  };
  const served = () => lines.filter(({ ip }) => ip === crowdAddress).length;
  const read = () => service.post(path, JSON.parse(body), { 'X-Forwarded-For': '198.51.100.1' });

  before(async () => {
    const env = { MAX_REQUESTS: '64', TRUSTED_HOPS: '1' };
    ({ service } = await openTestMarket({ env, log }));
    // The first chart computes what the others show.
    assert.equal((await read()).status, 200);
  });
  after(async () => {
    for (const socket of sockets) socket.destroy();
    await service.close();
  });

  it('are not served before a client of another network that connects after them', async () => {
    openCrowd(200);
    await until('the crowd at work', () => served() > 200);
    openCrowd(200);
    const before = served();
    const { status } = await read();
    const meanwhile = served() - before;
    assert.equal(status, 200);
    assert.ok(meanwhile < sockets.length / 2, `${meanwhile} requests of the crowd were served meanwhile`);
  });
});
