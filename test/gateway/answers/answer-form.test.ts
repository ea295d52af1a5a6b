import assert from 'node:assert/strict';
import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { openTestService, type TestService } from '../../support/gateway/gateway.js';
import { openTestMarket } from '../../support/candles/market.js';
import { rawExchange } from '../../support/gateway/raw-http.js';

const chart = '/backend/core-line/chart';
const app = 'https://app.example.com';

/** What each kind of answer comes to: good, refused, unknown, of the HTTP layer. */
const kinds: [what: string, request: string][] = [
  ['an answer', 'GET /healthz HTTP/1.1\r\nHost: x'],
  ['an unknown path', 'GET /nope HTTP/1.1\r\nHost: x'],
  ['a wrong method', 'PUT /healthz HTTP/1.1\r\nHost: x'],
  ['OPTIONS', 'OPTIONS /healthz HTTP/1.1\r\nHost: x'],
  ['a refused body', `POST ${chart} HTTP/1.1\r\nHost: x\r\nContent-Length: 0`],
  ['no Host', 'GET /healthz HTTP/1.1'],
  ['CONNECT', 'CONNECT x:1 HTTP/1.1\r\nHost: x'],
  ['bytes that are no request', 'nonsense'],
];

describe('every answer', () => {
  let service: TestService;
  let open: TestService;

  before(async () => {
    ({ service } = await openTestMarket());
    const env = { CORS_ORIGINS: `${app},http://localhost:5173`, PUBLIC_URL: 'https://api.example.com' };
    open = await openTestService({ env, computeNodes: 0 });
  });
  after(async () => {
    await service.close();
    await open.close();
  });

  for (const [what, request] of kinds)
    it(`tells browsers to run, sniff and frame nothing: ${what}`, async () => {
      const { answers } = await rawExchange(service.url, [`${request}\r\nConnection: close\r\n\r\n`]);
      const { headers } = answers[0];
      assert.match(headers['content-security-policy'], /default-src 'none'.*frame-ancestors 'none'/);
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['x-frame-options'], 'DENY');
      assert.equal(headers['referrer-policy'], 'no-referrer');
      assert.equal(headers['strict-transport-security'], undefined);
      assert.equal(headers['access-control-allow-origin'], undefined);
    });

  it('asks for https where the public address has it', async () => {
    const { headers } = await fetch(`${open.url}/healthz`);
    assert.equal(headers.get('strict-transport-security'), 'max-age=31536000');
  });

  describe('to pages of other origins', () => {
    const ask = (method: string, origin: string, headers: Record<string, string> = {}) =>
      fetch(`${open.url}${method === 'GET' ? '/healthz' : chart}`, {
        method,
        headers: { Origin: origin, ...headers },
      });

    it('may be read by those that are listed', async () => {
      for (const origin of [app, 'http://localhost:5173']) {
        for (const method of ['GET', 'POST']) {
          const { headers } = await ask(method, origin);
          assert.equal(headers.get('access-control-allow-origin'), origin);
          assert.equal(headers.get('access-control-allow-credentials'), null);
          assert.match(headers.get('access-control-expose-headers')!, /RateLimit-Remaining.*x-request-id/);
          assert.match(headers.get('vary')!, /Origin/);
        }
      }
    });

    it('may be read by no other', async () => {
      for (const origin of [
        'null',
        '*',
        `${app}.evil.example`,
        `${app}:8443`,
        'http://app.example.com',
        '',
      ]) {
        for (const method of ['GET', 'POST', 'OPTIONS']) {
          const { headers } = await ask(method, origin, { 'Access-Control-Request-Method': 'POST' });
          assert.equal(headers.get('access-control-allow-origin'), null, origin);
          assert.match(headers.get('vary')!, /Origin/);
        }
      }
    });

    it('are allowed the headers the service reads', async () => {
      const preflight = {
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'content-type,session-token,x-evil',
      };
      const { status, headers } = await ask('OPTIONS', app, preflight);
      assert.equal(status, 204);
      const allowed = headers.get('access-control-allow-headers')!;
      for (const name of ['content-type', 'session-token', 'svc-api-key', 'x-signature', 'x-timestamp'])
        assert.ok(allowed.includes(name), name);
      assert.ok(!allowed.includes('evil'));
      assert.equal(headers.get('access-control-max-age'), '600');
    });
  });

  describe('when compressed', () => {
    const ask = (encoding: string, limit: number) => {
      const body = JSON.stringify({ asset: 'BTC', limit });
      const { hostname, port } = new URL(service.url);
      return new Promise<{ headers: Record<string, unknown>; bytes: Buffer }>((resolve, reject) => {
        const headers = {
          'Content-Type': 'application/json',
          'Content-Length': body.length,
          ...(encoding === '' ? {} : { 'Accept-Encoding': encoding }),
        };
        request({ hostname, port, path: chart, method: 'POST', headers }, (answer) => {
          const parts: Buffer[] = [];
          answer.on('data', (part: Buffer) => parts.push(part));
          answer.on('end', () => resolve({ headers: answer.headers, bytes: Buffer.concat(parts) }));
        })
          .on('error', reject)
          .end(body);
      });
    };

    it('holds the same as when not, and is told apart by caches', async () => {
      const plain = await ask('', 500);
      const packed = await ask('gzip, deflate, br', 500);
      assert.equal(packed.headers['content-encoding'], 'gzip');
      assert.equal(plain.headers['content-encoding'], undefined);
      assert.deepEqual(gunzipSync(packed.bytes), plain.bytes);
      assert.ok(packed.bytes.length < plain.bytes.length / 2);
      for (const { headers, bytes } of [plain, packed]) {
        assert.match(String(headers.vary), /Accept-Encoding/);
        assert.match(String(headers['content-type']), /^application\/json/);
        assert.match(String(headers.etag), /^W\/"/);
        assert.equal(Number(headers['content-length']), bytes.length);
      }
    });

    it('is so only where gzip is taken', async () => {
      for (const encoding of ['identity', 'br', 'gzip;q=0', 'deflate', 'x'])
        assert.equal((await ask(encoding, 500)).headers['content-encoding'], undefined, encoding);
    });

    it('is so only from 1 kB on', async () => {
      const { headers, bytes } = await ask('gzip', 1);
      assert.equal(headers['content-encoding'], undefined);
      assert.ok(bytes.length < 1_024);
    });
  });

  it('to HEAD has the headers of GET and no body', async () => {
    for (const path of ['/openapi.json', '/healthz', '/nope']) {
      const get = await fetch(service.url + path);
      const head = await fetch(service.url + path, { method: 'HEAD' });
      assert.equal(head.status, get.status);
      assert.equal(await head.text(), '');
      for (const name of ['content-type', 'etag', 'vary', 'content-encoding', 'cache-control'])
        assert.equal(head.headers.get(name), get.headers.get(name), `${name} of ${path}`);
      await get.text();
    }
  });
});
