import assert from 'node:assert/strict';
import { AppError } from '../../../../compute/model/errors.js';
import {
  ClientDocuments,
  documentLifetimeMs,
  metadataUrlFault,
} from '../../../../gateway/auth/oauth/clients/client-documents.js';
import { PageClient } from '../../../support/browser/page-client.js';
import { openTestService, type TestService } from '../../../support/gateway/gateway.js';
import { authorizationPath } from '../../../support/oauth/authorization-request.js';
import { DocumentHost } from '../../../support/oauth/document-host.js';
import { within } from '../../../support/process/within.js';

const minuteMs = 60_000;

describe('clients that publish a document', () => {
  let host: DocumentHost;
  let service: TestService;
  let now = Date.now();
  let paths = 0;

  before(async () => {
    host = await DocumentHost.open();
    service = await openTestService({ computeNodes: 0, isPublicAddress: () => true });
  });
  beforeEach(() => {
    host.asked.length = 0;
    host.answer = host.good();
  });
  after(async () => {
    host.close();
    await service.close();
  });

  const documents = (isAllowed?: (address: string) => boolean) =>
    new ClientDocuments(service.deps.redis, { now: () => now, ...(isAllowed ? { isAllowed } : {}) });
  const anywhere = () => documents(() => true);
  /** A new address at the host, and a network that has not asked yet. */
  const fresh = () => `${host.url}/client-${++paths}`;
  const network = () => `198.51.100.${++paths}`;
  const refusal = (message: RegExp) => (error: unknown) =>
    error instanceof AppError && error.code === 'invalid_input' && message.test(error.message);

  describe('at /authorize', () => {
    const ask = (more: Record<string, string>) => new PageClient(service.url).get(authorizationPath(more));

    it('are shown with the host that publishes them', async () => {
      const { status, text } = await ask({ client_id: fresh(), redirect_uri: 'https://editor.example/cb' });
      assert.equal(status, 200);
      assert.ok(text.includes(`published by <strong>${new URL(host.url).host}</strong>`));
      assert.match(text, /calls\s+itself\s+“<bdi>Editor<\/bdi>”/);
      assert.ok(text.includes('You will be sent to <strong>editor.example</strong>'));
    });

    it('may use only the addresses that they name, and any port of this computer', async () => {
      const client_id = fresh();
      assert.equal((await ask({ client_id, redirect_uri: 'http://127.0.0.1:5050/cb' })).status, 200);
      for (const redirect_uri of [
        'https://editor.example/other',
        'http://localhost:5050/cb',
        'https://evil.example/cb',
      ])
        assert.equal((await ask({ client_id, redirect_uri })).status, 400);
    });

    it('show no markup of their names', async () => {
      host.answer = host.good({ client_name: '<script>alert(1)</script>\u202egpj' });
      const { text } = await ask({ client_id: fresh(), redirect_uri: 'https://editor.example/cb' });
      assert.ok(text.includes('&lt;script&gt;alert(1)&lt;/script&gt;gpj'));
    });

    it('are refused with a page where their document is', async () => {
      host.answer = host.good({ client_id: 'https://other.example/' });
      const { status, location, text } = await ask({
        client_id: fresh(),
        redirect_uri: 'https://editor.example/cb',
      });
      assert.deepEqual([status, location], [400, null]);
      assert.match(text, /its &quot;client_id&quot; is not its own address \(invalid_client\)/);
    });

    it('are apps like any other of this computer while their host can not be reached, and none elsewhere', async () => {
      const closed = await DocumentHost.open();
      closed.close();
      for (const client_id of [`${closed.url}/editor`, 'https://host.invalid/editor']) {
        const { status, text } = await ask({ client_id, redirect_uri: 'http://127.0.0.1:5050/cb' });
        assert.equal(status, 200, text);
        assert.match(text, /Connect <bdi class="name">an app on this computer<\/bdi>/);
        assert.match(text, /This is an app on this computer, not verified\./);
        assert.doesNotMatch(text, /published by|calls itself/);
        const elsewhere = await ask({ client_id, redirect_uri: 'https://editor.example/cb' });
        assert.equal(elsewhere.status, 400);
      }
      host.answer = (response) => response.destroy();
      const broken = await ask({ client_id: fresh(), redirect_uri: 'http://127.0.0.1:5050/cb' });
      assert.equal(broken.status, 400);
    });

    it('are not asked for at addresses that are not plain (o20)', async () => {
      const { host: name } = new URL(host.url);
      for (const client_id of [
        ...[
          `http://${name}/a`,
          `https://user@${name}/a`,
          `https://user:pw@${name}/a`,
          `https://${name}/a#b`,
          `https://${name}/a#`,
        ],
        ...[
          `https://${name}/a/../b`,
          `https://${name}/./a`,
          `https://${name}/a/%2e%2e/b`,
          `https://${name}/a/%2E/b`,
          `https://${name}/..`,
        ],
        ...[
          `https://${name}`,
          `https://${name}/`,
          `https://${name}/a?b`,
          `https://${name}/a b`,
          `HTTPS://${name}/a`,
          `https://LOCALHOST/a`,
        ],
        ...[
          `https://${name}/a\\b`,
          `https:\\\\${name}\\a`,
          `https:///${name}/a`,
          'ftp://localhost/a',
          `https://${name}/${'a'.repeat(500)}`,
        ],
      ])
        for (const redirect_uri of ['https://editor.example/cb', 'http://127.0.0.1:1/cb']) {
          const { status, text } = await ask({ client_id, redirect_uri });
          assert.equal(status, 400, client_id);
          assert.match(text, /invalid_client/, client_id);
        }
      assert.deepEqual(host.asked, []);
    });
  });

  it('have plain addresses with a path', () => {
    for (const url of [
      'https://a.example/b',
      'https://a.example:8443/b/c.json',
      'https://xn--bcher-kva.example/oauth',
    ])
      assert.equal(metadataUrlFault(url), null);
    assert.equal(metadataUrlFault('https://bücher.example/a'), 'has an unusual form');
  });

  it('are not asked for at an address of this network', async () => {
    const { port } = new URL(host.url);
    for (const at of [
      'localhost',
      '127.0.0.1',
      '[::1]',
      '10.0.0.1',
      '169.254.169.254',
      '[::ffff:7f00:1]',
      '192.168.1.1',
    ])
      await assert.rejects(
        documents().find(`https://${at}:${port}/client`, network()),
        refusal(/it is not at a public https address \(invalid_client\)/),
        at,
      );
    assert.deepEqual(host.asked, []);
  });

  it('are looked up once for the connection that is used', async () => {
    const seen: string[] = [];
    const asked = documents((address) => seen.push(address) > 100).find(fresh(), network());
    await assert.rejects(asked, refusal(/public https address/));
    assert.equal(seen.length, 1);
    assert.deepEqual(host.asked, []);
  });

  const bad: [what: string, answer: (host: DocumentHost) => DocumentHost['answer'], message: RegExp][] = [
    [
      'a redirect',
      () => (response) => response.writeHead(302, { Location: `${host.url}/other` }).end(),
      /answered with 302/,
    ],
    ['an error', () => (response) => response.writeHead(500).end('{}'), /answered with 500/],
    ['201', () => (response) => response.writeHead(201).end('{}'), /answered with 201/],
    ['more than 5 kB', (at) => at.good({ padding: 'x'.repeat(5_200) }), /larger than 5120 bytes/],
    ['another type', (at) => at.good({}, { 'Content-Type': 'text/html' }), /Content-Type is not JSON/],
    [
      'no JSON',
      () => (response) => response.setHeader('Content-Type', 'application/json').end('<html>'),
      /not JSON/,
    ],
    [
      'a list',
      () => (response) => response.setHeader('Content-Type', 'application/json').end('[]'),
      /must be of type object/,
    ],
    ['another client_id', (at) => at.good({ client_id: `${at.url}/other` }), /is not its own address/],
    ['no client_id', (at) => at.good({ client_id: undefined }), /"client_id" is required/],
    ['a secret', (at) => at.good({ client_secret: 's' }), /"client_secret" is not allowed/],
    ['the expiry of a secret', (at) => at.good({ client_secret_expires_at: 0 }), /is not allowed/],
    [
      'the method of a secret',
      (at) => at.good({ token_endpoint_auth_method: 'client_secret_basic' }),
      /token_endpoint_auth_method/,
    ],
    ['no addresses', (at) => at.good({ redirect_uris: [] }), /redirect_uris/],
    [
      'eleven addresses',
      (at) => at.good({ redirect_uris: Array(11).fill('https://a.example/') }),
      /redirect_uris/,
    ],
    ['a text as addresses', (at) => at.good({ redirect_uris: 'https://a.example/' }), /redirect_uris/],
    [
      'an address with a script',
      (at) => at.good({ redirect_uris: ['javascript:alert(1)'] }),
      /neither an https address/,
    ],
    [
      'an http address elsewhere',
      (at) => at.good({ redirect_uris: ['http://a.example/cb'] }),
      /neither an https address/,
    ],
    ['a wildcard', (at) => at.good({ redirect_uris: ['https://*.a.example/cb'] }), /wildcard/],
    ['a fragment', (at) => at.good({ redirect_uris: ['https://a.example/cb#x'] }), /fragment/],
    ['a connection that breaks', () => (response) => response.destroy(), /its host can not be reached/],
  ];
  for (const [what, answer, message] of bad)
    it(`are refused for ${what}, and not asked for again for a minute (o22)`, async () => {
      host.answer = answer(host);
      const [clientId, all] = [fresh(), anywhere()];
      for (let n = 0; n < 3; n++) await assert.rejects(all.find(clientId, network()), refusal(message));
      assert.equal(host.asked.length, 1);
      host.answer = host.good();
      now += minuteMs + 1;
      assert.equal((await all.find(clientId, network())).name, 'Editor');
    });

  it('are refused when they do not come within 5 s (o22)', async function () {
    this.timeout(60_000);
    host.answer = () => undefined;
    const found = within('the refusal', anywhere().find(fresh(), network()), 50_000);
    await assert.rejects(found, refusal(/did not come in time/));
  });

  it('are kept as long as they say, and asked for once by several at the same moment', async () => {
    const good = host.good({}, { 'Cache-Control': 'public, max-age=3600' });
    // Each is counted in Redis before it asks: the answer comes when all of them have been.
    host.answer = (response, path) => void setTimeout(() => good(response, path), 1_000);
    const [clientId, all] = [fresh(), anywhere()];
    await Promise.all(Array.from({ length: 8 }, () => all.find(clientId, network())));
    now += 59 * minuteMs;
    await all.find(clientId, network());
    assert.equal(host.asked.length, 1);
    now += 2 * minuteMs;
    await all.find(clientId, network());
    assert.equal(host.asked.length, 2);
  });

  it('are kept for 5 minutes to a day', () => {
    const lifetimes: [header: string | null, minutes: number][] = [
      [null, 5],
      ['', 5],
      ['no-store', 5],
      ['max-age=0', 5],
      ['max-age=-1', 5],
      ['public, max-age=600', 10],
      ['max-age="600"', 10],
      ['Max-Age=600, no-cache', 5],
      ['max-age=99999999', 24 * 60],
      ['max-age=999999999999999999', 24 * 60],
      ['x-max-age=600', 5],
    ];
    for (const [header, minutes] of lifetimes)
      assert.equal(documentLifetimeMs(header), minutes * minuteMs, String(header));
  });

  it('are fetched 300 times in ten minutes from one host, over all gateways, whoever asks, and stay known', async () => {
    const third = await DocumentHost.open();
    const gateways = [anywhere(), anywhere()];
    const good = `${third.url}/good`;
    await gateways[0].find(good, network());
    third.answer = (response) => response.writeHead(404).end();
    const ask = (n: number) =>
      gateways[n % 2].find(`${third.url}/made-up-${n}`, network()).catch((error: AppError) => error.code);
    const asked: unknown[] = [];
    while (asked.length < 320)
      asked.push(...(await Promise.all(Array.from({ length: 40 }, (_, n) => ask(asked.length + n)))));
    const limited = asked.filter((code) => code === 'rate_limited').length;
    assert.deepEqual([limited, asked.length - limited, third.asked.length], [21, 299, 300]);
    await assert.rejects(gateways[1].find(`${third.url}/one-more`, network()), { code: 'rate_limited' });
    assert.equal(third.asked.length, 300);
    // The client that was known before is not locked out, and neither are those of other hosts.
    third.answer = third.good();
    now += 10 * minuteMs;
    assert.equal((await gateways[0].find(good, network())).name, 'Editor');
    assert.equal((await gateways[1].find(fresh(), network())).name, 'Editor');
    // Neither is it after its document could not be read for a while.
    third.answer = (response) => response.writeHead(503).end();
    now += 10 * minuteMs;
    await assert.rejects(gateways[0].find(good, network()), refusal(/answered with 503/));
    third.answer = third.good();
    now += 2 * minuteMs;
    assert.equal((await gateways[0].find(good, network())).name, 'Editor');
    third.close();
  });

  it('are fetched twenty times in ten minutes for one network, over all gateways, and stay known to it', async () => {
    const [one, other, from] = [anywhere(), anywhere(), network()];
    const known = fresh();
    await one.find(known, from);
    for (let n = 1; n < 20; n++) await (n % 2 ? one : other).find(fresh(), from);
    const limited = { code: 'rate_limited', message: /too many apps that are described by documents/ };
    await assert.rejects(one.find(fresh(), from), limited);
    await assert.rejects(other.find(fresh(), from), limited);
    assert.equal((await one.find(known, from)).name, 'Editor');
    assert.equal((await one.find(fresh(), network())).name, 'Editor');
    assert.equal(host.asked.length, 21);
  });
});
