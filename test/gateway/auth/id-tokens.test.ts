import assert from 'node:assert/strict';
import { base64url, type JWTPayload } from 'jose';
import { IdTokens } from '../../../gateway/auth/id-tokens.js';
import { LocalIssuer, type IssuerMood } from '../../support/gateway/local-issuer.js';
import { within } from '../../support/process/within.js';
import { until } from '../../support/process/until.js';

const now = () => Math.floor(Date.now() / 1_000);
const encode = (value: object) => base64url.encode(JSON.stringify(value));

describe('IdTokens', () => {
  let issuer: LocalIssuer;
  let stranger: LocalIssuer;
  const tokensOf = (jwksUrl: string | null = null, cooldownMs = 0) =>
    new IdTokens([{ issuer: issuer.url, audiences: [issuer.audience, 'other-app'], jwksUrl }], cooldownMs);
  let tokens: IdTokens;

  before(async () => {
    [issuer, stranger] = await Promise.all([LocalIssuer.open(), LocalIssuer.open()]);
    // A login waits 0.9 s; the first one of a process loads the modules for it, which takes longer on a busy machine.
    const isThere = async () =>
      tokensOf()
        .verify(await issuer.sign())
        .then(
          () => true,
          () => false,
        );
    await until('an issuer that answers in time', isThere);
  });
  beforeEach(() => {
    issuer.mood = 'well';
    issuer.asked = 0;
    tokens = tokensOf();
  });
  after(() => {
    issuer.close();
    stranger.close();
  });

  const ada = () => ({ issuer: issuer.url, subject: 'ada', email: 'ada@example.com', emailVerified: true });

  for (const alg of ['RS256', 'ES256']) {
    it(`takes a token signed with ${alg}`, async () => {
      assert.deepEqual(await tokens.verify(await issuer.sign({}, alg)), ada());
    });
  }

  const good: [what: string, claims: JWTPayload, nonce?: string][] = [
    ['of another audience of this service', { aud: 'other-app' }],
    ['of several audiences, asked for by this service', { aud: ['x', 'other-app'], azp: 'other-app' }],
    ['whose nonce is the expected one', { nonce: 'n' }, 'n'],
    ['with a nonce that nobody asks for', { nonce: 'n' }],
    ['issued by a clock that is 58 s ahead', { iat: now() + 58 }],
  ];
  for (const [what, claims, nonce] of good) {
    it(`takes a token ${what}`, async () => {
      assert.deepEqual(await tokens.verify(await issuer.sign(claims), nonce), ada());
    });
  }

  const emails: [verified: unknown, email: unknown, expected: [string | null, boolean]][] = [
    [true, 'a@b.example', ['a@b.example', true]],
    ['true', 'a@b.example', ['a@b.example', true]],
    [false, 'a@b.example', ['a@b.example', false]],
    ['false', 'a@b.example', ['a@b.example', false]],
    [1, 'a@b.example', ['a@b.example', false]],
    [undefined, 'a@b.example', ['a@b.example', false]],
    [true, undefined, [null, true]],
    [true, { $gt: '' }, [null, true]],
  ];
  for (const [verified, email, expected] of emails) {
    it(`reads email ${JSON.stringify(email)}, email_verified ${JSON.stringify(verified)}`, async () => {
      const claims = await tokens.verify(await issuer.sign({ email, email_verified: verified }));
      assert.deepEqual([claims.email, claims.emailVerified], expected);
    });
  }

  const bad: [what: string, make: () => string | Promise<string>, reason: RegExp, nonce?: string][] = [
    ['that has expired', () => issuer.sign({ exp: now() - 6 }), /it has expired/],
    ['that never expires', () => issuer.sign({ exp: undefined }), /"exp"/],
    ['without a time of issue', () => issuer.sign({ iat: undefined }), /"iat"/],
    [
      'issued in the future',
      () => issuer.sign({ iat: now() + 63, exp: now() + 300 }),
      /issued in the future/,
    ],
    ['issued far in the future', () => issuer.sign({ iat: 1e300 }), /issued in the future/],
    ['issued at no number', () => issuer.sign({ iat: '1' as unknown as number }), /"iat"/],
    ['that is not good yet', () => issuer.sign({ nbf: now() + 60 }), /"nbf"/],
    ['for another audience', () => issuer.sign({ aud: 'somebody' }), /"aud"/],
    ['for no audience', () => issuer.sign({ aud: undefined }), /"aud"/],
    [
      'for several, asked for by another',
      () => issuer.sign({ aud: ['x', issuer.audience], azp: 'x' }),
      /"azp"/,
    ],
    ['for several, not saying by whom', () => issuer.sign({ aud: ['x', issuer.audience] }), /"azp"/],
    ['of an unknown issuer', () => stranger.sign(), /issuer is unknown/],
    ['of an issuer that is nearly known', () => issuer.sign({ iss: `${issuer.url}/` }), /issuer is unknown/],
    ['without an issuer', () => issuer.sign({ iss: undefined }), /names no issuer/],
    ['that another signed in its name', () => stranger.sign({ iss: issuer.url }), /key does not belong/],
    ['without a subject', () => issuer.sign({ sub: undefined }), /"sub"/],
    ['with an empty subject', () => issuer.sign({ sub: '' }), /"sub"/],
    ['with a long subject', () => issuer.sign({ sub: 'a'.repeat(256) }), /"sub"/],
    ['with another nonce', () => issuer.sign({ nonce: 'n' }), /"nonce"/, 'm'],
    ['without the nonce', () => issuer.sign(), /"nonce"/, 'n'],
    ['that is an access token', () => issuer.sign({}, 'RS256', { typ: 'at+jwt' }), /not an ID token/],
    ['signed with the public key as a secret', () => issuer.signAsSecret(), /algorithm is not accepted/],
    [
      'without a signature',
      () => `${encode({ alg: 'none' })}.${encode(issuer.claims())}.`,
      /algorithm is not accepted/,
    ],
    [
      'with another content under the same signature',
      async () => {
        const [header, , signature] = (await issuer.sign()).split('.');
        return `${header}.${encode(issuer.claims({ sub: 'eve' }))}.${signature}`;
      },
      /signature is wrong/,
    ],
    [
      'with the signature of the other algorithm',
      async () => {
        const [, payload, signature] = (await issuer.sign()).split('.');
        const [header] = (await issuer.sign({}, 'ES256')).split('.');
        return `${header}.${payload}.${signature}`;
      },
      /signature is wrong/,
    ],
    ['that is none', () => 'a.b.c', /malformed/],
    ['whose content is no JSON', () => `${encode({ alg: 'RS256' })}.AAAA.AAAA`, /malformed/],
  ];
  for (const [what, make, reason, nonce] of bad) {
    it(`refuses a token ${what}`, async () => {
      const token = await make();
      await assert.rejects(tokens.verify(token, nonce), (error: Error & { code: string }) => {
        assert.equal(error.code, 'unauthorized');
        assert.match(error.message, /^the ID token is refused: [\w" ]+$/);
        assert.match(error.message, reason);
        return true;
      });
    });
  }

  it('takes the tokens of several issuers, each with its own keys and audience', async () => {
    const several = new IdTokens([
      { issuer: issuer.url, audiences: ['first-app'], jwksUrl: null },
      { issuer: stranger.url, audiences: ['second-app'], jwksUrl: null },
    ]);
    assert.deepEqual(await several.verify(await issuer.sign({ aud: 'first-app' })), ada());
    const other = await several.verify(await stranger.sign({ aud: 'second-app' }));
    assert.deepEqual(other, { ...ada(), issuer: stranger.url });
    for (const token of [
      await issuer.sign({ aud: 'second-app' }),
      await stranger.sign({ iss: issuer.url, aud: 'first-app' }),
    ])
      await assert.rejects(several.verify(token), { code: 'unauthorized' });
  });

  it('refuses every token where no issuer is set up', async () => {
    await assert.rejects(new IdTokens([]).verify(await issuer.sign()), {
      code: 'invalid_input',
      message: 'signing in with an identity provider is not set up here',
    });
  });

  it('asks for keys once, however many tokens come', async () => {
    const token = await issuer.sign();
    await Promise.all(Array.from({ length: 20 }, () => tokens.verify(token)));
    assert.equal(issuer.asked, 1);
  });

  it('needs no discovery where the address of the keys is given', async () => {
    assert.deepEqual(await tokensOf(`${issuer.url}/keys`).verify(await issuer.sign()), ada());
  });

  it('follows the issuer to other keys, and takes the old ones no longer', async () => {
    const old = await issuer.sign();
    await tokens.verify(old);
    await issuer.rotate();
    assert.deepEqual(await tokens.verify(await issuer.sign()), ada());
    await assert.rejects(tokens.verify(old), /key does not belong/);
  });

  it('does not ask again and again for a key that is not there', async () => {
    const calm = tokensOf(null, 30_000);
    await calm.verify(await issuer.sign());
    const foreign = await stranger.sign({ iss: issuer.url });
    for (let n = 0; n < 5; n++) await assert.rejects(calm.verify(foreign), /key does not belong/);
    assert.equal(issuer.asked, 1);
  });

  const away: IssuerMood[] = ['silent', 'failing', 'redirecting', 'endless', 'babbling'];
  for (const mood of away) {
    it(`says soon that an issuer that is ${mood} does not answer, and goes on when it is back`, async () => {
      const token = await issuer.sign();
      for (const jwksUrl of [null, `${issuer.url}/keys`]) {
        const fresh = tokensOf(jwksUrl);
        issuer.mood = mood;
        const before = issuer.asked + issuer.discovered;
        await assert.rejects(within('the refusal', fresh.verify(token)), {
          code: 'idp_unavailable',
          details: { part: 'idp' },
        });
        // It waits for one request, of the discovery or of the keys.
        assert.equal(issuer.asked + issuer.discovered - before, 1);
        issuer.mood = 'well';
        assert.deepEqual(await fresh.verify(token), ada());
      }
    });
  }

  it('signs in with the keys it has while the issuer does not answer', async () => {
    await tokens.verify(await issuer.sign());
    issuer.mood = 'silent';
    assert.deepEqual(await tokens.verify(await issuer.sign()), ada());
  });

  it('does not follow a discovery document of somebody else', async () => {
    const mixed = new IdTokens([{ issuer: `${issuer.url}/tenant`, audiences: ['a'], jwksUrl: null }], 0);
    await assert.rejects(mixed.verify(await issuer.sign({ iss: `${issuer.url}/tenant` })), {
      code: 'idp_unavailable',
    });
  });
});
