import assert from 'node:assert/strict';
import { hashPassword } from '../../../../storage/users/password.js';
import { assertRefused, badValues } from '../../../support/gateway/envelope.js';
import { openTestService, type TestService } from '../../../support/gateway/gateway.js';
import { LocalIssuer } from '../../../support/gateway/local-issuer.js';
import { within } from '../../../support/process/within.js';

const path = '/backend/login/idp';

describe('POST /backend/login/idp', () => {
  let issuer: LocalIssuer;
  let service: TestService;

  before(async () => {
    issuer = await LocalIssuer.open();
    service = await openTestService({
      env: { IDP_ISSUERS: `${issuer.url} ${issuer.audience}` },
      computeNodes: 0,
    });
  });
  beforeEach(() => (issuer.mood = 'well'));
  after(async () => {
    await service.close();
    issuer.close();
  });

  const signIn = async (claims: Record<string, unknown>, more: object = {}, headers = {}) =>
    service.post(path, { idToken: await issuer.sign(claims), ...more }, headers);
  const asks = (token: string) => service.post('/backend/logout', {}, { 'session-token': token });

  it('makes an account for a verified e-mail, with plan free and no password', async () => {
    const { status, result, headers, payload } = await signIn({ sub: 'new', email: 'New@example.com' });
    assert.deepEqual([status, result], [200, { type: 'OPERATION_PERFORMED' }]);
    const { id, passwordHash } = (await service.storage.users.byEmail('new@example.com'))!;
    assert.equal(passwordHash, null);
    assert.deepEqual(payload, {
      token: payload.token,
      user: { userid: id, email: 'new@example.com', subscriptionplan: 'free' },
    });
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal((await asks(payload.token)).status, 200);
  });

  it('signs in the same account again, also with the same token, for 30 days on a phone', async () => {
    const first = await signIn({ sub: 'again', email: 'again@example.com' });
    const idToken = await issuer.sign({ sub: 'again', email: 'again@example.com' });
    const tokens = [];
    for (const body of [{ idToken }, { idToken, platform: 'ios' }]) {
      const { payload } = await service.post(path, body);
      assert.equal(payload.user.userid, first.payload.user.userid);
      tokens.push(payload.token);
    }
    assert.equal(new Set(tokens).size, 2);
    const [latest] = await service.storage.sessions.ofUser(first.payload.user.userid);
    assert.equal(latest.expiresAt.getTime() - latest.createdAt.getTime(), 30 * 86_400_000);
  });

  it('keeps the account of a subject whose e-mail changes, even to one that is not verified', async () => {
    const { payload } = await signIn({ sub: 'moving', email: 'before@example.com' });
    for (const claims of [
      { email: 'after@example.com' },
      { email: 'after@example.com', email_verified: false },
      { email: undefined },
    ]) {
      const again = await signIn({ sub: 'moving', ...claims });
      assert.equal(again.payload.user.userid, payload.user.userid);
      assert.equal(again.payload.user.email, 'before@example.com');
    }
    assert.equal(await service.storage.users.byEmail('after@example.com'), null);
  });

  it('makes one account however often somebody signs in at the same moment', async () => {
    const idToken = await issuer.sign({ sub: 'hasty', email: 'hasty@example.com' });
    const answers = await Promise.all(Array.from({ length: 8 }, () => service.post(path, { idToken })));
    assert.deepEqual(
      answers.map(({ status }) => status),
      Array(8).fill(200),
    );
    assert.equal(new Set(answers.map(({ payload }) => payload.user.userid as string)).size, 1);
  });

  it('signs in the account that has the verified e-mail, and leaves its password and sessions', async () => {
    const passwordHash = await hashPassword('correct horse');
    const { users, sessions } = service.storage;
    const { id } = await users.add({ email: 'linked@example.com', plan: 'pro', passwordHash });
    const token = await sessions.open(id, 'web');
    const { payload } = await signIn({ sub: 'linked', email: 'Linked@example.com' });
    assert.deepEqual(payload.user, { userid: id, email: 'linked@example.com', subscriptionplan: 'pro' });
    const body = { email: 'linked@example.com', password: 'correct horse' };
    assert.equal((await service.post('/backend/login', body)).status, 200);
    assert.equal((await asks(token)).status, 200);
  });

  it('takes an account back from who signed up with the e-mail of another', async () => {
    const body = { email: 'victim@example.com', password: 'the attacker knows' };
    await service.post('/backend/signup', body);
    const squatter = (await service.post('/backend/login', body)).payload;
    const { payload } = await signIn({ sub: 'victim', email: 'victim@example.com' });
    assert.equal(payload.user.userid, squatter.user.userid);
    assert.equal((await asks(squatter.token)).status, 401);
    assert.equal((await service.post('/backend/login', body)).status, 401);
    assert.equal((await asks(payload.token)).status, 200);
  });

  for (const email_verified of [false, 'false', undefined, null, 1, 'yes']) {
    it(`neither links nor makes an account where email_verified is ${JSON.stringify(email_verified)}`, async () => {
      const email = `${typeof email_verified}-${String(email_verified)}@unverified.example`;
      const sub = `unverified ${email}`;
      const refusal = { status: 403, type: 'UNAUTHORIZED' };
      assertRefused(await signIn({ sub, email, email_verified }), refusal);
      assert.equal(await service.storage.users.byEmail(email), null);
      await service.storage.users.add({ email, plan: 'free', passwordHash: null });
      assertRefused(await signIn({ sub, email, email_verified }), refusal);
    });
  }

  for (const email of [
    undefined,
    '',
    'nobody',
    'a b@example.com',
    `${'a'.repeat(300)}@example.com`,
    7,
    ['a@b.example'],
  ]) {
    it(`makes no account for the e-mail ${JSON.stringify(email)?.slice(0, 40)}`, async () => {
      assertRefused(await signIn({ sub: 'odd', email }), { status: 403, type: 'UNAUTHORIZED' });
    });
  }

  it('makes another account for an identity whose user was removed', async () => {
    const { payload } = await signIn({ sub: 'gone', email: 'gone@example.com' });
    await service.storage.users.remove(payload.user.userid);
    assert.equal((await asks(payload.token)).status, 401);
    const again = await signIn({ sub: 'gone', email: 'gone@example.com' });
    assert.notEqual(again.payload.user.userid, payload.user.userid);
  });

  it('gives the account no password that signs in, in the same words as a wrong one', async () => {
    await signIn({ sub: 'passwordless', email: 'passwordless@example.com' });
    const answers = await Promise.all(
      ['passwordless@example.com', 'nobody@example.com'].map((email) =>
        service.post('/backend/login', { email, password: 'null' }, { 'x-request-id': 'same' }),
      ),
    );
    for (const answer of answers) assertRefused(answer, { status: 401, type: 'UNAUTHORIZED' });
    assert.deepEqual(answers[0].payload, answers[1].payload);
  });

  it('refuses a token that is not good, telling why and nothing of it', async () => {
    const answer = await signIn({ exp: 1_000, sub: 'secret-subject' });
    assertRefused(answer, { status: 401, type: 'UNAUTHORIZED' });
    assert.equal(answer.payload.message, 'the ID token is refused: it has expired');
  });

  it('answers 503 soon and names the part while the issuer does not answer', async () => {
    const other = await LocalIssuer.open();
    const env = { IDP_ISSUERS: `${other.url} ${other.audience}` };
    const second = await openTestService({ env, computeNodes: 0 });
    try {
      other.mood = 'silent';
      const idToken = await other.sign();
      const asked = within('the refusal', second.post(path, { idToken }));
      const { status, result, headers, payload } = await asked;
      // It waits for one request, not for the keys as well.
      assert.deepEqual([other.discovered, other.asked], [1, 0]);
      assert.deepEqual([status, result.type, payload.part], [503, 'CRITICAL', 'idp']);
      assert.equal(headers.get('retry-after'), '1');
      other.close();
      assert.equal((await second.post(path, { idToken })).payload.part, 'idp');
    } finally {
      other.close();
      await second.close();
    }
  });

  const idToken = 'a.b.c';
  const bad = [
    ...badValues({ idToken }, 'idToken', 'INVALID_INPUT_ID_TOKEN', [
      ...[undefined, null, 1, {}, ['a.b.c'], { $ne: '' }, '', 'a', 'a.b', 'a.b.c.d', 'a.b.c\n', 'ä.b.c'],
      `a.${'b'.repeat(16 * 1024)}.c`,
    ]),
    ...badValues({ idToken }, 'nonce', 'INVALID_INPUT_NONCE', [null, 1, '', {}, 'n'.repeat(256)]),
    ...badValues({ idToken }, 'platform', 'INVALID_INPUT_PLATFORM', [null, 'windows']),
    {
      what: 'more',
      body: { idToken, admin: true },
      status: 400,
      type: 'INVALID_INPUT_CONTENT',
      field: 'admin',
    },
  ];
  for (const { what, body, ...expected } of bad) {
    it(`refuses ${what}`, async () => {
      const answer = await service.post(path, body);
      assertRefused(answer, expected, what);
      assert.doesNotMatch(answer.payload.message, /bbbb/);
    });
  }

  it('says so where no issuer is set up', async () => {
    const without = await openTestService({ computeNodes: 0 });
    const answer = await without.post(path, { idToken: await issuer.sign() });
    assertRefused(answer, { status: 400, type: 'INVALID_INPUT_CONTENT' });
    assert.match(answer.payload.message, /not set up here/);
    await without.close();
  });
});
