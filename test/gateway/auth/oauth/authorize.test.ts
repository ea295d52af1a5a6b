import assert from 'node:assert/strict';
import type { OauthClient } from '../../../../storage/oauth/clients.js';
import { PageClient, type SeenPage } from '../../../support/browser/page-client.js';
import { openTestService, type TestService } from '../../../support/gateway/gateway.js';
import { rawExchange } from '../../../support/gateway/raw-http.js';
import { authorizationPath } from '../../../support/oauth/authorization-request.js';

describe('GET /authorize', () => {
  let service: TestService;
  let registered: OauthClient;

  before(async () => {
    service = await openTestService({ computeNodes: 0 });
    registered = await service.storage.oauthClients.add({
      name: 'Desk',
      redirectUris: ['https://desk.example/cb?tenant=7', 'http://127.0.0.1/cb'],
    });
  });
  after(() => service.close());

  const ask = (more: Record<string, string | undefined> = {}): Promise<SeenPage> =>
    new PageClient(service.url).get(authorizationPath(more));
  const asked = (more: Record<string, string | undefined>) =>
    ask({ client_id: registered.clientId, redirect_uri: 'https://desk.example/cb?tenant=7', ...more });

  const assertPage = ({ status, location, text }: SeenPage, what: string) => {
    assert.deepEqual([status, location], [400, null], what);
    assert.match(text, /<h1>This request is not valid<\/h1>/);
  };
  const assertError = ({ status, location }: SeenPage, error: string, state: string | null = 'the state') => {
    assert.equal(status, 303);
    const url = new URL(location!);
    assert.equal(`${url.origin}${url.pathname}`, 'http://127.0.0.1:4711/callback');
    const { error_description: description, ...rest } = Object.fromEntries(url.searchParams);
    assert.deepEqual(rest, { error, ...(state === null ? {} : { state }), iss: service.url });
    assert.match(description, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
  };

  it('shows who asks for what, where the browser will go, and asks for e-mail and password', async () => {
    const { status, text } = await ask();
    assert.equal(status, 200);
    for (const words of [
      ...['an app on this computer, not verified', 'this computer (127.0.0.1:4711)'],
      ...[
        'Read your positions',
        'Read indicators',
        'name="email"',
        'name="password"',
        'value="allow"',
        'value="deny"',
      ],
    ])
      assert.ok(text.includes(words), words);
    assert.ok(!text.includes('Ask the assistant'));
  });

  it('has headers that keep it out of frames, caches and referrers (o17), on its errors too', async () => {
    for (const page of [await ask(), await ask({ redirect_uri: undefined })]) {
      const policy = page.headers.get('content-security-policy')!;
      assert.match(policy, /^default-src 'none'; script-src 'self'; .*; frame-ancestors 'none'$/);
      assert.doesNotMatch(policy, /unsafe/);
      assert.deepEqual(
        ['x-frame-options', 'referrer-policy', 'cache-control'].map((name) => page.headers.get(name)),
        ['DENY', 'no-referrer', 'no-store'],
      );
    }
  });

  it('names a registered client by the words of that client, and by its host', async () => {
    const { status, text } = await asked({});
    assert.equal(status, 200);
    assert.match(text, /calls\s+itself “<bdi>Desk<\/bdi>”\.\s+Its\s+name\s+is\s+not\s+verified/);
    assert.match(text, /You will be sent to <strong>desk\.example<\/strong>/);
  });

  describe('tells the client of', () => {
    const faults: [what: string, more: Record<string, string | undefined>, error: string][] = [
      ['a missing code_challenge (o1)', { code_challenge: undefined }, 'invalid_request'],
      ['an empty code_challenge (o1)', { code_challenge: '' }, 'invalid_request'],
      ['a missing code_challenge_method (o2)', { code_challenge_method: undefined }, 'invalid_request'],
      ...['', 's256', 'S512', 'none', 'S256 ', 'PLAIN'].map(
        (method): [string, Record<string, string>, string] => [
          `the method "${method}" (o2)`,
          { code_challenge_method: method },
          'invalid_request',
        ],
      ),
      ['a challenge of 42 characters', { code_challenge: 'a'.repeat(42) }, 'invalid_request'],
      ['a challenge of 44 characters by S256', { code_challenge: 'a'.repeat(44) }, 'invalid_request'],
      ['a challenge with other characters', { code_challenge: `${'a'.repeat(42)}+` }, 'invalid_request'],
      [
        'a plain challenge of 129 characters',
        { code_challenge: 'a'.repeat(129), code_challenge_method: 'plain' },
        'invalid_request',
      ],
      ['a missing response_type', { response_type: undefined }, 'invalid_request'],
      ['another response_type', { response_type: 'token' }, 'unsupported_response_type'],
      ['two response types', { response_type: 'code token' }, 'unsupported_response_type'],
      ['another response_mode', { response_mode: 'fragment' }, 'invalid_request'],
      ['a request object', { request: 'eyJ' }, 'invalid_request'],
      ...[
        'admin',
        'read:portfolio admin',
        'read:portfolio\r\nX:1',
        '',
        ' ',
        'a'.repeat(4_000),
        'read:portfolio  read:analysis',
        'READ:PORTFOLIO',
        '*',
      ].map((scope): [string, Record<string, string>, string] => [
        `the scope ${JSON.stringify(scope.slice(0, 40))} (o13)`,
        { scope },
        'invalid_scope',
      ]),
      ...[
        'https://other.example/mcp',
        '/mcp',
        'mcp',
        '',
        'URL/mcp#x',
        'URL',
        'URL/backend',
        'URL/mcp?a=b',
      ].map((resource): [string, Record<string, string>, string] => [
        `the resource "${resource}" (o16)`,
        { resource },
        'invalid_target',
      ]),
    ];
    for (const [what, more, error] of faults)
      it(what, async () => {
        const { resource } = more;
        const given =
          resource === undefined ? more : { ...more, resource: resource.replace('URL', service.url) };
        assertError(await ask(given), error);
      });

    it('every parameter that is sent twice, even with the same value (o14)', async () => {
      const path = authorizationPath({ resource: `${service.url}/mcp`, other: 'a' });
      for (const [name, value] of new URLSearchParams(path.split('?')[1])) {
        const page = await new PageClient(service.url).get(
          `${path}&${new URLSearchParams([[name, value]]).toString()}`,
        );
        if (['client_id', 'redirect_uri'].includes(name)) assertPage(page, name);
        else
          assertError(
            page,
            name === 'resource' ? 'invalid_target' : 'invalid_request',
            name === 'state' ? null : 'the state',
          );
      }
    });

    it('nothing but a fault where it sent no state', async () => {
      assertError(await ask({ state: undefined, code_challenge: undefined }), 'invalid_request', null);
      assertError(await ask({ state: '', code_challenge: undefined }), 'invalid_request', '');
    });

    it('the state as it came', async () => {
      const state = '<"ä€𝄞%20+&=#;\t';
      assertError(await ask({ state, code_challenge: undefined }), 'invalid_request', state);
    });
  });

  it('accepts the resource of the connector, and all scopes where none is named', async () => {
    const { status, text } = await ask({ resource: `${service.url}/mcp`, scope: undefined });
    assert.equal(status, 200);
    assert.ok(text.includes('Ask the assistant'));
  });

  it('leaves the query of a redirect URI as it is', async () => {
    const { location } = await asked({ code_challenge: undefined });
    assert.match(location!, /^https:\/\/desk\.example\/cb\?tenant=7&error=invalid_request&/);
  });

  describe('shows a page and redirects nowhere for', () => {
    it('an unknown client with an address elsewhere (o4)', async () => {
      const page = await ask({ redirect_uri: 'https://a.example/cb' });
      assertPage(page, 'unknown');
      assert.match(page.text, /invalid_client/);
    });

    for (const name of ['client_id', 'redirect_uri'])
      it(`a missing and an empty ${name} (o5)`, async () => {
        assertPage(await ask({ [name]: undefined }), 'missing');
        assertPage(await ask({ [name]: '' }), 'empty');
      });

    const forged = [
      ...[
        'https://a.evil/cb',
        'https://desk.example@evil/cb',
        'https://evil\\@desk.example/cb',
        'https://desk.example%00.evil/cb',
      ],
      ...[
        '//desk.example/cb',
        'https://desk.example/cb',
        'https://desk.example/cb?tenant=7#',
        'https://desk.example/cb?tenant=7#a',
      ],
      ...[
        'https://desk.example/cb?tenant=7&a=b',
        'https://desk.example/cb?tenant=70',
        'https://desk.example/cb/?tenant=7',
      ],
      ...[
        'https://desk.example:443/cb?tenant=7',
        'https://desk.example:8443/cb?tenant=7',
        'HTTPS://desk.example/cb?tenant=7',
      ],
      ...[
        'https://DESK.example/cb?tenant=7',
        'http://desk.example/cb?tenant=7',
        'https://desk.example/x/../cb?tenant=7',
      ],
      ...[
        'https://desk.example/cb?tenant=%37',
        ' https://desk.example/cb?tenant=7',
        'https://desk.example./cb?tenant=7',
      ],
      ...[
        'http://localhost/cb',
        'http://[::1]/cb',
        'https://127.0.0.1/cb',
        'http://127.0.0.1/other',
        'http://127.0.0.1:99999/cb',
      ],
    ];
    for (const uri of forged)
      it(`a registered client with ${JSON.stringify(uri)} (o7, o11)`, async () => {
        assertPage(await asked({ redirect_uri: uri }), uri);
      });

    const schemes = [
      'javascript:alert(1)',
      'data:text/html,x',
      'file:///etc/passwd',
      'vbscript:x',
      'my-app://cb',
      'cursor://a/b',
      'ftp://localhost/',
    ];
    for (const uri of schemes)
      it(`the scheme of ${uri} (o8)`, async () => {
        assertPage(await ask({ redirect_uri: uri }), uri);
        assertPage(await asked({ redirect_uri: uri }), uri);
      });

    const notLoopback = [
      ...[
        'http://localhost.evil.com',
        'http://127.0.0.1.evil.com',
        'http://localhost@evil.com',
        'http://127.1',
        'http://0x7f000001',
      ],
      ...[
        'http://2130706433',
        'http://[::ffff:127.0.0.1]',
        'http://0.0.0.0',
        'http://testlocalhost',
        'http://localhost%2eevil.com',
      ],
      ...[
        'http://localhost.',
        'http://LOCALHOST',
        'http://127.0.0.1:80@evil.com',
        'http://127.0.0.1\\@evil.com',
        'http://127.0.0.2',
      ],
      ...[
        'http://[0:0:0:0:0:0:0:1]',
        'http://[::]',
        'http://localhost:',
        'http://localhost:x',
        'http://ⓛocalhost',
        'http://localhost#',
        'http:/localhost',
        'http:localhost',
      ],
    ];
    for (const host of notLoopback)
      it(`an unknown client at ${host} (o10)`, async () => {
        assertPage(await ask({ redirect_uri: `${host}/cb` }), host);
        assertPage(await ask({ redirect_uri: host }), host);
      });

    for (const clientId of ['a'.repeat(201), 'a b', 'ä', 'a\0', 'my-cli\r\nX: 1'])
      it(`the client id ${JSON.stringify(clientId.slice(0, 30))}`, async () => {
        assertPage(await ask({ client_id: clientId }), clientId);
      });

    it('a query that is not percent-encoded', async () => {
      assertPage(await new PageClient(service.url).get(`${authorizationPath()}&x=%zz`), 'query');
    });
  });

  for (const uri of [
    'http://127.0.0.1:1/',
    'http://localhost:65535/a?b=c',
    'http://[::1]:7/cb',
    'http://localhost',
  ])
    it(`accepts an unknown client at ${uri} (o10)`, async () => {
      assert.equal((await ask({ redirect_uri: uri })).status, 200);
    });

  it('accepts any port of a registered loopback address', async () => {
    for (const port of ['', ':1', ':50123'])
      assert.equal((await asked({ redirect_uri: `http://127.0.0.1${port}/cb` })).status, 200);
  });

  it('allows no method but GET (o19)', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'OPTIONS']) {
      const head = `${method} ${authorizationPath()} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`;
      const { answers } = await rawExchange(service.url, [head]);
      const [{ status, headers }] = answers;
      if (method !== 'OPTIONS') assert.equal(status, 405, method);
      assert.equal(headers.allow, 'HEAD, GET', method);
    }
  });

  it('answers no Host that is not its own: the issuer would follow it', async () => {
    const head = `GET ${authorizationPath()} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`;
    const { answers } = await rawExchange(service.url, [head]);
    assert.equal(answers[0].status, 403);
  });

  it('costs a guest a point', async () => {
    const limited = await openTestService({ computeNodes: 0, env: { RATE_GUEST: '3' } });
    try {
      const statuses = [];
      for (let n = 0; n < 4; n++)
        statuses.push((await new PageClient(limited.url).get(authorizationPath())).status);
      assert.deepEqual(statuses, [200, 200, 200, 429]);
    } finally {
      await limited.close();
    }
  });
});
