import assert from 'node:assert/strict';
import { openTestMarket } from '../../support/candles/market.js';
import type { TestService } from '../../support/gateway/gateway.js';
import { rawExchange } from '../../support/gateway/raw-http.js';
import { openMcpSession, postMcp, rpc, toolCall } from '../../support/mcp/post-mcp.js';

const publicUrl = 'https://tidemark.example';
const reading = toolCall('get_momentum_reading', { asset: 'BTC' });
const question = toolCall('ask_assistant', { message: 'How is BTC?' });
const metadata = `resource_metadata="${publicUrl}/.well-known/oauth-protected-resource/mcp"`;
const allScopes = 'scope="read:portfolio read:analysis ask:assistant write:strategies"';

describe('access to the connector', () => {
  let service: TestService;
  let token: string;

  before(async () => {
    const env = { PUBLIC_URL: publicUrl, MCP_HOSTS: 'mcp.internal', CORS_ORIGINS: 'https://app.example' };
    ({ service, token } = await openTestMarket({ env }));
  });
  after(() => service.close());

  it('is refused with a token in the query, also for public tools', async () => {
    const answer = await fetch(`${service.url}/mcp?access_token=${token}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
      body: JSON.stringify(reading),
    });
    assert.equal(answer.status, 401);
    assert.match(answer.headers.get('www-authenticate')!, /error="invalid_token"/);
    assert.match(await answer.text(), /expected in the header Authorization, found one in the query/);
  });

  describe('by Host and Origin', () => {
    /** Sends a call byte by byte, because HTTP clients set Host themselves. */
    const statusOf = async (host: string, origin?: string) => {
      const body = JSON.stringify(reading);
      const head = [
        'POST /mcp HTTP/1.1',
        `Host: ${host}`,
        ...(origin === undefined ? [] : [`Origin: ${origin}`]),
        'Content-Type: application/json',
        'Accept: application/json, text/event-stream',
        `Content-Length: ${body.length}`,
      ].join('\r\n');
      const { answers } = await rawExchange(service.url, [`${head}\r\n\r\n${body}`], { answers: 1 });
      return answers[0].status;
    };

    for (const host of [
      'localhost',
      'LOCALHOST:3000',
      '127.0.0.1:80',
      '[::1]:3000',
      'tidemark.example',
      'mcp.internal:8080',
    ])
      it(`allows the Host ${host}`, async () => assert.equal(await statusOf(host), 200));

    for (const host of [
      'attacker.example',
      'tidemark.example.attacker.example',
      'localhost.attacker.example',
      '127.0.0.1.nip.example',
      '0.0.0.0',
    ])
      it(`refuses the Host ${host}, as after DNS rebinding`, async () =>
        assert.equal(await statusOf(host), 403));

    for (const origin of [
      publicUrl,
      'https://app.example',
      'http://localhost:6274',
      'http://127.0.0.1:5173',
      'http://[::1]:80',
    ])
      it(`allows the Origin ${origin}`, async () =>
        assert.equal(await statusOf('localhost', origin), origin.endsWith(':80') ? 403 : 200));

    for (const origin of [
      'https://attacker.example',
      'null',
      'http://tidemark.example',
      'https://tidemark.example:444',
      'http://localhost.attacker.example',
      'localhost',
      '',
    ])
      it(`refuses the Origin "${origin}"`, async () =>
        assert.equal(await statusOf('localhost', origin), 403));

    it('is checked for every method and for what clients read first', async () => {
      for (const line of ['GET /mcp', 'DELETE /mcp', 'GET /.well-known/oauth-protected-resource/mcp']) {
        const text = `${line} HTTP/1.1\r\nHost: attacker.example\r\n\r\n`;
        const { answers } = await rawExchange(service.url, [text], { answers: 1 });
        assert.equal(answers[0].status, 403, line);
      }
    });
  });

  describe('by token', () => {
    it('needs none for a public tool, for lists and for the greeting', async () => {
      for (const message of [reading, rpc('tools/list'), rpc('prompts/list'), rpc('ping')])
        assert.equal((await postMcp(service.url, message)).status, 200);
    });

    it('answers an account tool without a token with 401, and says which scope it needs', async () => {
      for (const message of [question, [reading, { ...question, id: 2 }]]) {
        const { status, headers, body } = await postMcp(service.url, message);
        assert.equal(status, 401);
        assert.equal(headers.get('www-authenticate'), `Bearer ${metadata}, scope="ask:assistant"`);
        assert.deepEqual([body.jsonrpc, body.error.code, body.id], ['2.0', -32_000, null]);
      }
    });

    const invalid = { 'session-token': 'a'.repeat(43) };
    for (const [name, headers] of [
      ['an unknown session token', invalid],
      ['an empty session token', { 'session-token': '' }],
      ['a session token of a wrong form', { 'session-token': 'nonsense, nonsense' }],
      ['an unknown bearer token', { Authorization: 'Bearer abc' }],
      ['another kind of authorization', { Authorization: 'Basic YTpi' }],
    ] as const) {
      it(`answers ${name} with 401, also for a public tool`, async () => {
        for (const message of [reading, question, rpc('tools/list')]) {
          const answer = await postMcp(service.url, message, headers);
          assert.equal(answer.status, 401);
          assert.equal(
            answer.headers.get('www-authenticate'),
            `Bearer error="invalid_token", ${metadata}, ${allScopes}`,
          );
        }
      });
    }

    it('lets a signed-in user call every tool', async () => {
      const { status, body } = await postMcp(service.url, question, { 'session-token': token });
      assert.equal(status, 200);
      assert.equal(body.result.isError ?? false, false);
    });

    it('ends with the sign-in', async () => {
      const own = { 'session-token': await service.signIn() };
      assert.equal((await postMcp(service.url, reading, own)).status, 200);
      await service.post('/backend/logout', {}, own);
      assert.equal((await postMcp(service.url, reading, own)).status, 401);
    });

    it('says where a token comes from', async () => {
      for (const path of ['', '/mcp']) {
        const answer = await fetch(`${service.url}/.well-known/oauth-protected-resource${path}`);
        assert.deepEqual(await answer.json(), {
          resource: `${publicUrl}/mcp`,
          authorization_servers: [publicUrl],
          scopes_supported: ['read:portfolio', 'read:analysis', 'ask:assistant', 'write:strategies'],
          bearer_methods_supported: ['header'],
          resource_name: 'Tidemark',
          resource_documentation: `${publicUrl}/docs`,
        });
      }
    });
  });

  describe('by session', () => {
    it('refuses the session of another user with 404, and one that was not made here', async () => {
      const other = { 'session-token': await service.signIn() };
      const session = await openMcpSession(service.url, other);
      assert.match(session, /^[\w-]{22}\.[\w-]{16}$/);
      for (const [status, headers] of [
        [200, other],
        [404, { 'session-token': token }],
        [404, {}],
      ] as const) {
        const answer = await postMcp(service.url, reading, { ...headers, 'mcp-session-id': session });
        assert.equal(answer.status, status);
      }
      for (const made of ['x', 'x.y', `${session}x`, session.slice(1), '.'.repeat(300)]) {
        const answer = await postMcp(service.url, reading, { ...other, 'mcp-session-id': made });
        assert.deepEqual([answer.status, answer.body.error.code], [404, -32_000], made);
      }
    });

    it('stays when a guest signs in', async () => {
      const session = { 'mcp-session-id': await openMcpSession(service.url) };
      assert.equal((await postMcp(service.url, reading, session)).status, 200);
      const signedIn = { ...session, 'session-token': token };
      assert.equal((await postMcp(service.url, reading, signedIn)).status, 200);
      assert.equal((await postMcp(service.url, reading, session)).status, 200);
    });
  });
});
