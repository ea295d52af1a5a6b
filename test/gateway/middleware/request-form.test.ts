import assert from 'node:assert/strict';
import { openTestService, type TestService } from '../../support/gateway/gateway.js';
import { rawExchange } from '../../support/gateway/raw-http.js';
import { signatureOf, testSecret } from '../../support/gateway/signed.js';

describe('the form of requests', () => {
  let service: TestService;
  let own: string;

  before(async () => {
    const env = { PUBLIC_URL: 'https://api.example.com', AI_API_SECRETS: testSecret };
    service = await openTestService({ computeNodes: 0, env });
    own = new URL(service.url).host;
  });
  after(() => service.close());

  /** Asks for a target with a Host, and closes. */
  const ask = async (target: string, host = 'x', { version = '1.1', more = '' } = {}) => {
    const request = `GET ${target} HTTP/${version}\r\nHost: ${host}\r\n${more}Connection: close\r\n\r\n`;
    const { answers, closed } = await rawExchange(service.url, [request]);
    assert.deepEqual([answers.length, closed], [1, true]);
    return answers[0];
  };

  for (const host of ['x:99999', 'x:65536', '[::1]:70000', '', ' ', 'x:', 'x:-1', ':80', 'a/b'])
    it(`refuses the Host "${host}"`, async () => {
      assert.equal((await ask('/healthz', host)).status, 400);
    });

  for (const host of ['x', 'x:0', 'x:65535', 'api.example.com', '[::1]:3000', '127.0.0.1'])
    it(`takes the Host "${host}"`, async () => {
      assert.equal((await ask('/healthz', host)).status, 200);
    });

  it('takes an absolute target that names the service: its address, its public URL, or the Host', async () => {
    for (const [authority, host] of [
      [own, own],
      [own, 'x'],
      [own.replace('127.0.0.1', 'LOCALHOST'), 'x'],
      ['api.example.com', 'x'],
      ['api.example.com:443', 'api.example.com'],
      ['x', 'x'],
      ['X:80', 'x'],
      ['[::1]:3000', '[::1]:3000'],
    ]) {
      const scheme = authority.endsWith(':443') ? 'https' : 'http';
      const answer = await ask(`${scheme}://${authority}/healthz`, host);
      assert.deepEqual([answer.status, answer.body], [200, '{"alive":true}'], authority);
      assert.equal((await ask(`${scheme}://${authority}/healthz?a=b`, host)).status, 200, authority);
      assert.equal((await ask(`${scheme}://${authority}`, host)).status, 200, authority);
      assert.equal((await ask(`${scheme}://${authority}?a=b`, host)).status, 200, authority);
    }
  });

  it('refuses an absolute target that names another, a user, or no http', async () => {
    for (const target of [
      'http://other/healthz',
      `http://other@${own}/healthz`,
      `http://${own}@other/healthz`,
      `http://${own}:1/healthz`,
      `http://${own}\\healthz`,
      `ftp://${own}/healthz`,
      `//${own}/healthz`,
      'http:///healthz',
      'x',
    ]) {
      const { status } = await ask(target);
      assert.equal(status, target.startsWith('//') ? 404 : 400, target);
    }
  });

  it('verifies the signature of path and query alone in an absolute target', async () => {
    const target = '/v3/ai/get_price?base_asset=NOPE';
    const headers = signatureOf({ target });
    const more = Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('');
    const { body } = await ask(`http://${own}${target}`, own, { more });
    const { error } = JSON.parse(body) as { error: { field: string } };
    assert.equal(error.field, 'base_asset', body);
  });

  for (const target of ['/healthz#x', '/healthz?a=b#c', '/#', 'http://x/healthz#x'])
    it(`refuses the fragment of ${target}`, async () => {
      assert.equal((await ask(target)).status, 400);
    });

  it('refuses HTTP/2.0 with 505 and the end of the connection', async () => {
    const request = 'GET /healthz HTTP/2.0\r\nHost: x\r\nConnection: keep-alive\r\n\r\n';
    const { answers, closed } = await rawExchange(service.url, [request + request]);
    assert.deepEqual(
      answers.map(({ status, headers }) => [status, headers.connection]),
      [[505, 'close']],
    );
    assert.ok(closed);
  });

  it('refuses HTTP/0.9 with 400', async () => {
    for (const line of ['GET /healthz', 'GET /healthz HTTP/0.9']) {
      const { answers, closed } = await rawExchange(service.url, [`${line}\r\nHost: x\r\n\r\n`]);
      assert.deepEqual(
        answers.map(({ status }) => status),
        [400],
      );
      assert.ok(closed);
    }
  });
});
