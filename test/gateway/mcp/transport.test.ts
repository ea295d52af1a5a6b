import assert from 'node:assert/strict';
import { openTestMarket } from '../../support/candles/market.js';
import type { TestService } from '../../support/gateway/gateway.js';
import { connectMcp } from '../../support/mcp/mcp-client.js';
import { cancellation, postMcp, rpc, toolCall } from '../../support/mcp/post-mcp.js';

const reading = (id: number) => toolCall('get_momentum_reading', { asset: 'BTC' }, id);

describe('Streamable HTTP', () => {
  let service: TestService;

  before(async () => ({ service } = await openTestMarket()));
  after(() => service.close());

  for (const [revision, mode] of [
    ['2025-11-25', 'legacy'],
    ['2026-07-28', { pin: '2026-07-28' }],
    ['2026-07-28', 'auto'],
  ] as const) {
    it(`serves the TypeScript client in ${revision} (${JSON.stringify(mode)})`, async () => {
      const { client, call, close } = await connectMcp(service.url, {}, '', { versionNegotiation: { mode } });
      assert.equal(client.getNegotiatedProtocolVersion(), revision);
      assert.equal(client.getServerVersion()?.name, 'tidemark');
      const { tools } = await client.listTools();
      assert.ok(tools.some(({ name }) => name === 'get_momentum_reading'));
      const { resourceTemplates } = await client.listResourceTemplates();
      assert.deepEqual(
        resourceTemplates.map(({ name }) => name),
        ['backtest-trades', 'backtest-equity'],
      );
      const { structured, isError } = await call('get_momentum_reading', { asset: 'BTC' });
      assert.deepEqual([isError, structured.asset, structured.interval], [false, 'BTC', '1d']);
      const { messages } = await client.getPrompt({ name: 'market-brief' });
      assert.equal(messages.length, 1);
      await close();
    });
  }

  it('says of lists and guides how long they may be kept, and of tools that the list is the client’s own', async () => {
    const mode = { pin: '2026-07-28' } as const;
    const { client, close } = await connectMcp(service.url, {}, '', { versionNegotiation: { mode } });
    const hintOf = ({ ttlMs, cacheScope }: Record<string, unknown>) => [ttlMs, cacheScope];
    assert.deepEqual(hintOf(await client.listTools()), [300_000, 'private']);
    assert.deepEqual(hintOf(await client.listPrompts()), [300_000, 'public']);
    assert.deepEqual(hintOf(await client.listResources()), [300_000, 'public']);
    await close();
  });

  for (const version of ['2025-06-18', '2025-03-26', '2024-11-05']) {
    it(`serves a client that asks for ${version}`, async () => {
      const params = {
        protocolVersion: version,
        capabilities: {},
        clientInfo: { name: 'old', version: '1' },
      };
      const { status, body } = await postMcp(service.url, rpc('initialize', params));
      assert.deepEqual([status, body.result.protocolVersion], [200, version]);
      const headers = { 'mcp-protocol-version': version };
      const call = await postMcp(service.url, reading(2), headers);
      assert.equal(call.body.result.structuredContent.asset, 'BTC');
    });
  }

  it('answers a plain call in memory as the SDK answers it in a batch', async () => {
    for (const message of [
      reading(7),
      toolCall('get_momentum_reading', { asset: 'NOSUCH' }, 'a'),
      toolCall('get_momentum_reading', {}, 0),
      {
        ...reading(1),
        params: { name: 'get_momentum_reading', arguments: { asset: 'BTC' }, _meta: { a: 1 } },
      },
    ]) {
      const plain = await postMcp(service.url, message);
      const batch = await postMcp(service.url, [message]);
      assert.deepEqual([plain.status, plain.body], [200, batch.body]);
      for (const name of ['content-type', 'cache-control', 'ratelimit-limit'])
        assert.equal(plain.headers.get(name), batch.headers.get(name), name);
    }
  });

  it('answers plain calls of many clients that come at once, and have equal ids, each with its own answer', async () => {
    const asked = Array.from({ length: 20 }, (_, n) => ({
      interval: ['1h', '4h', '1d'][n % 3],
      asset: n % 4 === 0 ? 'NOSUCH' : 'BTC',
    }));
    const answers = await Promise.all(
      asked.map((args) => postMcp(service.url, toolCall('get_momentum_reading', args, 1))),
    );
    assert.deepEqual(
      answers.map(({ body: { id, result } }): unknown[] => [
        id,
        result.structuredContent.interval ?? result.structuredContent.error.field,
      ]),
      asked.map(({ asset, interval }) => [1, asset === 'NOSUCH' ? 'asset' : interval]),
    );
  });

  it('lets the SDK judge calls that are not plain', async () => {
    const call = reading(3);
    for (const [message, headers, status] of [
      [{ ...call, jsonrpc: '1.0' }, {}, 400],
      [{ ...call, id: null }, {}, 400],
      [{ ...call, id: 1.5 }, {}, 400],
      [{ ...call, params: { ...call.params, arguments: [] } }, {}, 200],
      [{ ...call, params: { ...call.params, _meta: null } }, {}, 400],
      [call, { Accept: 'application/json' }, 406],
      [call, { 'mcp-protocol-version': '1999-01-01' }, 400],
    ] as const) {
      const answer = await postMcp(service.url, message, headers);
      assert.equal(answer.status, status, JSON.stringify([message, headers]));
      assert.ok(answer.body.error, JSON.stringify(answer.body));
    }
  });

  it('refuses a revision that it does not know', async () => {
    const { status, body } = await postMcp(service.url, reading(1), { 'mcp-protocol-version': '1999-01-01' });
    assert.deepEqual([status, body.jsonrpc], [400, '2.0']);
  });

  it('has no streams and no sessions to end: GET and DELETE are 405', async () => {
    for (const method of ['GET', 'DELETE']) {
      const answer = await fetch(`${service.url}/mcp`, { method, headers: { Accept: 'text/event-stream' } });
      assert.equal(answer.status, 405, method);
      assert.equal(answer.headers.get('allow'), 'POST', method);
      const { jsonrpc, error } = (await answer.json()) as { jsonrpc: string; error: { code: number } };
      assert.deepEqual([jsonrpc, error.code], ['2.0', -32_600]);
    }
  });

  it('refuses other content than JSON with 415', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/json; charset=latin1',
    ]) {
      const { status, body } = await postMcp(service.url, reading(1), { 'Content-Type': type });
      assert.deepEqual(
        [status, body.jsonrpc, body.id, typeof body.error.message],
        [415, '2.0', null, 'string'],
      );
    }
  });

  it('refuses a client that does not accept both JSON and event streams with 406', async () => {
    const { status } = await postMcp(service.url, reading(1), { Accept: 'text/html' });
    assert.equal(status, 406);
  });

  it('takes a body of 1 MiB and refuses more with 413', async () => {
    const padded = (bytes: number) => {
      const text = JSON.stringify(reading(1));
      return text + ' '.repeat(bytes - text.length);
    };
    const most = 1024 * 1024;
    assert.equal((await postMcp(service.url, padded(most))).status, 200);
    const { status, body } = await postMcp(service.url, padded(most + 1));
    assert.deepEqual([status, body.error.code, body.id], [413, -32_600, null]);
  });

  it('answers malformed JSON with 400 and -32700', async () => {
    for (const text of ['{"jsonrpc":"2.0",', '\xff', '[1,']) {
      const { status, body } = await postMcp(service.url, text);
      assert.deepEqual([status, body.error.code, body.id], [400, -32_700, null], text);
    }
  });

  it('answers JSON that is no message with 400', async () => {
    for (const value of [1, 'text', null, {}, { jsonrpc: '1.0', id: 1, method: 'ping' }]) {
      const { status, body } = await postMcp(service.url, JSON.stringify(value));
      assert.equal(status, 400, JSON.stringify(value));
      assert.ok(body.error.code <= -32_600, JSON.stringify(body));
    }
  });

  it('answers a batch of 20, and refuses one of 21', async () => {
    const batch = (length: number) => Array.from({ length }, (_, n) => reading(n + 1));
    const headers = { 'mcp-protocol-version': '2025-03-26' };
    const { status, body } = await postMcp(service.url, batch(20), headers);
    assert.equal(status, 200);
    assert.deepEqual(
      (body as { id: number }[]).map(({ id }) => id).sort((a, b) => a - b),
      batch(20).map(({ id }) => id),
    );
    const refused = await postMcp(service.url, batch(21), headers);
    assert.deepEqual([refused.status, refused.body.error.code], [400, -32_600]);
    assert.match(refused.body.error.message as string, /at most 20 messages, found 21/);
  });

  it('refuses a batch that would get no answer: one that cancels its own call, one that uses an id twice', async () => {
    for (const [batch, message] of [
      [[reading(1), cancellation(1)], /the batch cancels its own request 1/],
      [[reading(1), reading(1)], /each request of a batch needs its own id/],
    ] as const) {
      const { status, body } = await postMcp(service.url, batch);
      assert.deepEqual([status, body.error.code], [400, -32_600]);
      assert.match(body.error.message as string, message);
    }
  });

  it('takes notifications and answers of clients, and answers nothing', async () => {
    const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
    for (const message of [
      initialized,
      [initialized, cancellation(9)],
      { jsonrpc: '2.0', id: 1, result: {} },
    ]) {
      const { status, body } = await postMcp(service.url, message);
      assert.deepEqual([status, body], [202, undefined], JSON.stringify(message));
    }
  });
});
