import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { fetchIssuerKeys } from '../../../gateway/auth/issuer-keys.js';
import { IdTokens } from '../../../gateway/auth/id-tokens.js';
import { LocalIssuer } from '../../support/gateway/local-issuer.js';

describe('the keys of an https issuer', () => {
  const checked = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  let issuer: LocalIssuer;
  let inside: LocalIssuer;

  before(async () => {
    // The certificate of the test's issuer is signed by itself.
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    [issuer, inside] = await Promise.all([LocalIssuer.openTls(), LocalIssuer.open()]);
  });
  beforeEach(() => {
    for (const each of [issuer, inside]) Object.assign(each, { mood: 'well', asked: 0, discovered: 0 });
  });
  after(() => {
    if (checked === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    else process.env.NODE_TLS_REJECT_UNAUTHORIZED = checked;
    for (const each of [issuer, inside]) each.close();
  });

  const verify = async (jwksUrl: string | null) =>
    new IdTokens([{ issuer: issuer.url, audiences: [issuer.audience], jwksUrl }], 0).verify(
      await issuer.sign(),
    );
  const refusal = { code: 'idp_unavailable', message: /expected a public https address/ };
  const port = () => new URL(issuer.url).port;

  it('are fetched from the address that the operator names, also from a private one', async () => {
    assert.equal((await verify(`${issuer.url}/keys`)).subject, 'ada');
    assert.equal(issuer.asked, 1);
  });

  it('are not looked for again at once after a failed discovery', async () => {
    issuer.mood = 'failing';
    const tokens = new IdTokens([{ issuer: issuer.url, audiences: [issuer.audience], jwksUrl: null }]);
    for (let i = 0; i < 3; i++)
      await assert.rejects(tokens.verify(await issuer.sign()), { code: 'idp_unavailable' });
    assert.equal(issuer.discovered, 1);
  });

  it('are not fetched again at once after a failure, and are after a while', async () => {
    issuer.mood = 'failing';
    const keys = `${issuer.url}/keys`;
    const idp = { issuer: issuer.url, audiences: [issuer.audience], jwksUrl: keys };
    const [calm, eager] = [new IdTokens([idp], 30_000), new IdTokens([idp], 300)];
    for (let i = 0; i < 3; i++)
      await assert.rejects(calm.verify(await issuer.sign()), { code: 'idp_unavailable' });
    assert.equal(issuer.asked, 1);
    await assert.rejects(eager.verify(await issuer.sign()), { code: 'idp_unavailable' });
    issuer.mood = 'well';
    await delay(350);
    assert.equal((await eager.verify(await issuer.sign())).subject, 'ada');
  });

  const addresses: [what: string, url: () => string][] = [
    ['a plain address of this machine', () => `${inside.url}/keys`],
    ['an https address of this machine', () => `https://127.0.0.1:${port()}/keys`],
    ['a name of this machine', () => `https://localhost:${port()}/keys`],
    ['a number that is an address', () => `https://2130706433:${port()}/keys`],
    ['a hexadecimal address', () => `https://0x7f.1:${port()}/keys`],
    ['IPv4 in IPv6', () => `https://[::ffff:127.0.0.1]:${port()}/keys`],
    ['IPv6 of this machine', () => `https://[::1]:${port()}/keys`],
    ['the metadata of a cloud', () => 'https://169.254.169.254/latest/meta-data'],
    ['a private network', () => 'https://10.0.0.1/keys'],
  ];
  for (const [what, url] of addresses)
    it(`are not fetched from ${what}, if the issuer names it`, async () => {
      issuer.keysUrl = url();
      await assert.rejects(verify(null), refusal);
      assert.deepEqual([issuer.asked, inside.asked], [0, 0]);
    });

  for (const url of ['http://192.0.2.1/keys', 'ftp://example.com/keys', 'file:///etc/passwd', 'no address'])
    it(`are not fetched from ${url}, if the issuer names it`, async () => {
      issuer.keysUrl = url;
      await assert.rejects(verify(null), { code: 'idp_unavailable' });
    });

  describe('fetched from an allowed address', () => {
    const anywhere = () => true;
    const signal = () => AbortSignal.timeout(issuer.mood === 'silent' ? 800 : 20_000);
    const fetched = (url: string) => fetchIssuerKeys(url, { signal: signal() }, anywhere);

    it('come by address and by name', async () => {
      for (const host of ['127.0.0.1', 'localhost']) {
        const answer = await fetched(`https://${host}:${port()}/keys`);
        const { keys } = (await answer.json()) as { keys: { alg: string }[] };
        assert.deepEqual([answer.status, keys.map(({ alg }) => alg)], [200, ['RS256', 'ES256']]);
      }
    });

    it('are looked up once for the connection that is used, and every address must be allowed', async () => {
      const seen: string[] = [];
      const refused = fetchIssuerKeys(`https://localhost:${port()}/keys`, {}, (address) => {
        seen.push(address);
        return false;
      });
      await assert.rejects(refused, refusal);
      assert.ok(seen.every((address) => ['127.0.0.1', '::1'].includes(address)) && seen.length === 1);
      assert.equal(issuer.asked, 0);
    });

    for (const [mood, message] of [
      ['redirecting', /answered with 302/],
      ['failing', /answered with 500/],
      ['endless', /larger than 262144 bytes/],
      ['silent', /abort|timeout/i],
    ] as const)
      it(`are an error if the address is ${mood}`, async () => {
        issuer.mood = mood;
        await assert.rejects(fetched(`${issuer.url}/keys`), message);
        assert.equal(issuer.asked, 1);
      });
  });
});
