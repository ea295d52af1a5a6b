import assert from 'node:assert/strict';
import { openTestMarket } from '../../support/candles/market.js';
import type { TestService } from '../../support/gateway/gateway.js';
import { postMcp, rpc, toolCall, type McpHttpAnswer } from '../../support/mcp/post-mcp.js';

const greeting = {
  ...{ protocolVersion: '2025-11-25', capabilities: {} },
  clientInfo: { name: 'test', version: '1' },
};
const reading = toolCall('get_momentum_reading', { asset: 'BTC' });

/** What the RateLimit headers say. */
const pointsOf = ({ headers }: Pick<McpHttpAnswer, 'headers'>) => [
  Number(headers.get('ratelimit-limit')),
  Number(headers.get('ratelimit-remaining')),
];

describe('points of tool calls', () => {
  let service: TestService;
  const from = (address: string) => ({ 'X-Forwarded-For': address });

  before(async () => {
    const env = {
      ...{ RATE_GUEST: '6', RATE_FREE: '12', RATE_HOSTED: '9', RATE_UNPRICED: '15', TRUSTED_HOPS: '1' },
      MCP_HOSTED_CLIENTS: 'assistant@203.0.113.0/24+2001:db8::/32, helper@192.0.2.7',
    };
    ({ service } = await openTestMarket({ env }));
  });
  after(() => service.close());

  it('are those of REST: one budget for the address of a guest', async () => {
    const address = from('198.51.100.1');
    const momentum = () => service.post('/backend/analysis/momentum', { asset: 'BTC' }, address);
    assert.deepEqual(pointsOf(await postMcp(service.url, reading, address)), [6, 5]);
    assert.deepEqual(pointsOf(await momentum()), [6, 4]);
    // For a guest a request without a call costs one, too.
    assert.deepEqual(pointsOf(await postMcp(service.url, rpc('tools/list'), address)), [6, 3]);
    assert.deepEqual(pointsOf(await postMcp(service.url, [reading, { ...reading, id: 2 }], address)), [6, 1]);
    assert.deepEqual(pointsOf(await momentum()), [6, 0]);

    const refused = await postMcp(service.url, reading, address);
    const wait = Number(refused.headers.get('retry-after'));
    assert.ok(wait >= 1 && wait <= 60, `${wait} s`);
    assert.equal(Number(refused.headers.get('ratelimit-reset')), wait);
    assert.deepEqual(pointsOf(refused), [6, 0]);
    assert.deepEqual(
      [refused.status, refused.body.id, refused.body.result.isError, refused.body.result.structuredContent],
      [
        ...[200, 1, true],
        {
          error: {
            code: 'limit_reached',
            message: `at most 6 points a minute; try again in ${wait} s`,
            retry_after_seconds: wait,
          },
        },
      ],
    );
    const batch = await postMcp(service.url, [reading], address);
    assert.deepEqual([batch.status, batch.body.error.code, batch.body.id], [429, -32_000, null]);
    // Without points a client can still connect and see what there is.
    for (const method of ['initialize', 'tools/list'])
      assert.equal((await postMcp(service.url, rpc(method, greeting), address)).status, 200);
    // Nobody else pays for it.
    assert.equal((await postMcp(service.url, reading, from('198.51.100.2'))).status, 200);
  });

  it('are spent before a body is read, so that a guest without points costs nothing more', async () => {
    const address = from('198.51.100.3');
    const send = async () => {
      const body = `[${' '.repeat(900_000)}`;
      const headers = { 'Content-Type': 'application/json', ...address };
      return fetch(`${service.url}/mcp`, { method: 'POST', headers, body });
    };
    const statuses: number[] = [];
    for (let n = 0; n < 8; n++) statuses.push((await send()).status);
    assert.deepEqual(statuses, [400, 400, 400, 400, 400, 400, 429, 429]);
  });

  it('are those of the user with a token, wherever the user is, and lists are free', async () => {
    const own = { 'session-token': await service.signIn() };
    const call = async (address: string) =>
      pointsOf(await postMcp(service.url, reading, { ...own, ...from(address) }));
    assert.deepEqual(await call('198.51.100.10'), [12, 11]);
    assert.deepEqual(await call('203.0.113.10'), [12, 10]);
    assert.equal((await postMcp(service.url, rpc('tools/list'), own)).headers.has('ratelimit-limit'), false);
    await service.post('/backend/analysis/momentum', { asset: 'BTC' }, own);
    assert.deepEqual(await call('198.51.100.11'), [12, 8]);
    const batch = Array.from({ length: 9 }, (_, n) => ({ ...reading, id: n }));
    const refused = await postMcp(service.url, batch, own);
    assert.equal(refused.status, 429);
  });

  it('are not needed for lists, whose number is limited all the same, before a body is read', async () => {
    const own = { 'session-token': await service.signIn(), ...from('198.51.100.12') };
    const lists = async (body: object) => (await postMcp(service.url, body, own)).status;
    for (let n = 0; n < 9; n++) assert.equal(await lists(reading), 200, 'calls cost points alone');
    for (let n = 0; n < 10; n++) assert.equal(await lists(rpc('tools/list')), 200);
    const unread = () =>
      fetch(`${service.url}/mcp`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...own },
        body: `[${' '.repeat(900_000)}`,
      });
    for (let n = 0; n < 5; n++) assert.equal((await unread()).status, 400);
    assert.equal((await unread()).status, 429);
    const refused = await postMcp(service.url, rpc('ping'), own);
    assert.equal(refused.status, 429);
    assert.equal(refused.headers.has('ratelimit-limit'), false);
    assert.ok(Number(refused.headers.get('retry-after')) >= 1);
    // What costs nothing over REST has its own count: trading can be halted.
    const halted = () => service.post('/backend/trading/pause', {}, own);
    for (let n = 0; n < 15; n++) assert.equal((await halted()).status, 200);
    assert.equal((await halted()).status, 429);
  });

  it('that a batch has too few of refuse all of it', async () => {
    const address = from('198.51.100.20');
    const batch = Array.from({ length: 7 }, (_, n) => ({ ...reading, id: n }));
    assert.equal((await postMcp(service.url, batch, address)).status, 429);
    assert.equal((await postMcp(service.url, reading, address)).status, 200);
  });

  it('come from one larger bucket for all guests of a hosted assistant', async () => {
    assert.deepEqual(pointsOf(await postMcp(service.url, reading, from('203.0.113.1'))), [9, 8]);
    assert.deepEqual(pointsOf(await postMcp(service.url, reading, from('203.0.113.200'))), [9, 7]);
    assert.deepEqual(pointsOf(await postMcp(service.url, reading, from('2001:db8:5::1'))), [9, 6]);
    assert.deepEqual(pointsOf(await postMcp(service.url, reading, from('192.0.2.7'))), [9, 8]);
    // Its REST requests are those of an address.
    const rest = await service.post('/backend/analysis/momentum', { asset: 'BTC' }, from('203.0.113.1'));
    assert.deepEqual(pointsOf(rest), [6, 5]);
  });

  it('of a hosted assistant are not for those who only write its address', async () => {
    // The entry of the trusted proxy is the last one.
    const headers = from('203.0.113.1, 198.51.100.30');
    assert.deepEqual(pointsOf(await postMcp(service.url, reading, headers)), [6, 5]);
  });
});
