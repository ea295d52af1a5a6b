import assert from 'node:assert/strict';
import { openTestService, type TestService } from '../../../support/gateway/gateway.js';
import { OauthClientRig, postForm, postJson } from '../../../support/oauth/oauth-client.js';

const uri = 'https://app.example/callback';

describe('registration of OAuth clients', function () {
  this.timeout(60_000);
  let service: TestService;
  let addresses = 0;

  before(async () => {
    const env = {
      ...{ PUBLIC_URL: 'https://tidemark.example', RATE_OAUTH: '20', RATE_HOSTED: '30', TRUSTED_HOPS: '1' },
      RATE_UNPRICED: '40',
      MCP_HOSTED_CLIENTS: 'chat@198.51.100.7',
    };
    service = await openTestService({ computeNodes: 0, env });
  });
  after(() => service.close());

  /** From an address that no other test uses, unless one is given. */
  const register = (body: unknown, from = `203.0.113.${++addresses}`) =>
    postJson(`${service.url}/register`, body, { 'X-Forwarded-For': from });

  it('answers an id and what was kept', async () => {
    const redirect_uris = [uri, 'http://127.0.0.1:7777/callback', 'http://[::1]/', 'http://localhost/x?y=1'];
    const { status, headers, body } = await register({
      ...{ client_name: 'Claude Code', redirect_uris, client_uri: 'https://app.example', contacts: ['a'] },
      ...{ grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'], scope: 'admin' },
      application_type: 'native',
    });
    const { client_id, client_id_issued_at, ...rest } = body;
    assert.match(String(client_id), /^client_[A-Za-z0-9_-]{22}$/);
    assert.ok(Math.abs(client_id_issued_at - Date.now() / 1_000) < 60);
    assert.deepEqual([status, headers.get('cache-control')], [201, 'no-store']);
    assert.deepEqual(rest, {
      client_name: 'Claude Code',
      redirect_uris,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      scope: 'read:portfolio read:analysis ask:assistant write:strategies',
    });
    const stored = await service.storage.oauthClients.find(String(client_id));
    assert.deepEqual([stored?.name, stored?.redirectUris], ['Claude Code', redirect_uris]);
  });

  it('says that there is no client secret, whatever was asked for', async () => {
    for (const token_endpoint_auth_method of ['client_secret_post', 'client_secret_basic', 'none']) {
      const { status, body } = await register({ redirect_uris: [uri], token_endpoint_auth_method });
      assert.deepEqual([status, body.token_endpoint_auth_method], [201, 'none']);
      assert.equal('client_secret' in body, false);
    }
  });

  it('keeps names short and on one line, without characters that turn text around', async () => {
    for (const [client_name, shown] of [
      ['<script>alert(1)</script>', '<script>alert(1)</script>'],
      ['evil\u202Egnp.exe\r\n', 'evilgnp.exe'],
      ['x'.repeat(1_000), 'x'.repeat(100)],
      [undefined, 'unnamed app'],
    ])
      assert.equal((await register({ redirect_uris: [uri], client_name })).body.client_name, shown);
  });

  for (const [what, redirect_uris] of [
    ['none', undefined],
    ['an empty list', []],
    ['a text', uri],
    ['an object', { 0: uri }],
    ['50 entries', Array.from({ length: 50 }, (_, n) => `${uri}${n}`)],
    ['an entry of 5 kB', [`${uri}?${'x'.repeat(5_000)}`]],
    ['an entry that is no text', [uri, 1]],
    ...[
      ['a fragment', `${uri}#x`],
      ['an empty fragment', `${uri}#`],
      ['a wildcard', 'https://*.app.example/callback'],
      ['http elsewhere', 'http://app.example/callback'],
      ['javascript', 'javascript:alert(1)'],
      ['data', 'data:text/html,x'],
      ['file', 'file:///etc/passwd'],
      ['vbscript', 'vbscript:x'],
      ['a private scheme', 'cursor://callback'],
      ['user info', 'https://app.example@evil.example/'],
      ['a backslash', 'https://evil.example\\@app.example/'],
      ['a relative address', '/callback'],
      ['no scheme', '//app.example/callback'],
      ['a space', 'https://app.example/ x'],
      ['a line break', 'https://app.example/\r\nx'],
      ['another host of this computer', 'http://127.0.0.1.evil.example/'],
      ['localhost as a part', 'http://localhost.evil.example/'],
      ['a short loopback', 'http://127.1/'],
      ['a number as host', 'http://2130706433/'],
      ['all addresses', 'http://0.0.0.0/'],
    ].map(([name, text]) => [name, [text]] as const),
  ] as const)
    it(`refuses redirect_uris: ${what}`, async () => {
      const { status, headers, body } = await register({ redirect_uris });
      assert.deepEqual([status, body.error], [400, 'invalid_redirect_uri']);
      assert.equal(headers.get('cache-control'), 'no-store');
    });

  for (const [what, given] of [
    ['a name that is no text', { client_name: 1 }],
    ['other grants alone', { grant_types: ['client_credentials'] }],
    ['grants that are no list', { grant_types: 'authorization_code' }],
    ['other answers alone', { response_types: ['token'] }],
  ] as const)
    it(`refuses ${what}`, async () => {
      const { status, body } = await register({ redirect_uris: [uri], ...given });
      assert.deepEqual([status, body.error], [400, 'invalid_client_metadata']);
    });

  it('takes JSON objects alone, by POST', async () => {
    for (const body of ['', '[]', '{"redirect_uris":', 'null']) {
      const refused = await register(body);
      assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_request']);
    }
    const form = await postForm(`${service.url}/register`, { redirect_uris: uri });
    assert.deepEqual([form.status, form.body.error], [415, 'invalid_request']);
    const { status, headers } = await fetch(`${service.url}/register`);
    assert.deepEqual([status, headers.get('allow')], [405, 'POST']);
  });

  it('is limited to 20 an hour for a network, of clients that are accepted', async () => {
    const from = () => `2001:db8:1:1::${(++addresses).toString(16)}`;
    for (let n = 0; n < 5; n++) assert.equal((await register({}, from())).status, 400);
    for (let n = 0; n < 20; n++) assert.equal((await register({ redirect_uris: [uri] }, from())).status, 201);
    const { status, headers, body } = await register({ redirect_uris: [uri] }, from());
    assert.deepEqual([status, body.error], [429, 'temporarily_unavailable']);
    assert.ok(Number(headers.get('retry-after')) > 60);
    assert.equal((await register({ redirect_uris: [uri] }, '2001:db8:1:2::1')).status, 201);
    for (let n = 0; n < 25; n++)
      assert.equal((await register({ redirect_uris: [uri] }, '198.51.100.7')).status, 201);
  });

  describe('failed requests for tokens', () => {
    const asFrom = (from: string) => ({ 'X-Forwarded-For': from });
    const guess = (from: string, path = '/token') =>
      postForm(
        service.url + path,
        {
          ...{ grant_type: 'refresh_token', client_id: 'x', refresh_token: `ort_${'a'.repeat(43)}` },
          token: `ort_${'a'.repeat(43)}`,
        },
        asFrom(from),
      );

    it('are limited to 20 a minute for a network, guesses at /revoke among them', async () => {
      for (let n = 0; n < 10; n++) assert.equal((await guess('192.0.2.1')).status, 400);
      for (let n = 0; n < 10; n++) assert.equal((await guess('192.0.2.1', '/revoke')).status, 200);
      for (const path of ['/token', '/revoke']) {
        const { status, headers, body } = await guess('192.0.2.1', path);
        assert.deepEqual([status, body.error], [429, 'temporarily_unavailable']);
        assert.ok(Number(headers.get('retry-after')) >= 1);
        assert.equal(headers.get('cache-control'), 'no-store');
      }
      assert.equal((await guess('192.0.2.2')).status, 400);
    });

    it('do not count those that succeed, which have a limit of their own', async () => {
      const rig = new OauthClientRig(service);
      const { exchange } = await rig.consent();
      const url = `${service.url}/token`;
      let { refresh_token } = (await postForm(url, exchange, asFrom('192.0.2.3'))).body;
      for (let n = 0; n < 30; n++) {
        const fields = { grant_type: 'refresh_token', client_id: 'client_test', refresh_token };
        const { status, body } = await postForm(url, fields, asFrom('192.0.2.3'));
        assert.equal(status, 200);
        ({ refresh_token } = body);
      }
      const last = { grant_type: 'refresh_token', client_id: 'client_test', refresh_token };
      const again = () => postForm(url, last, asFrom('192.0.2.3'));
      for (let n = 0; n < 9; n++) assert.equal((await again()).status, 200);
      const { status, headers, body } = await again();
      assert.deepEqual([status, body.error], [429, 'temporarily_unavailable']);
      assert.ok(Number(headers.get('retry-after')) >= 1);
      assert.equal((await postForm(url, last, asFrom('192.0.2.4'))).status, 200);
    });

    it('are shared with the calls of a hosted assistant where it asks for its users', async () => {
      const statuses = [];
      for (let n = 0; n < 30; n++) statuses.push((await guess('198.51.100.7')).status);
      assert.deepEqual([statuses[0], statuses.at(-1)], [400, 429]);
    });
  });
});
