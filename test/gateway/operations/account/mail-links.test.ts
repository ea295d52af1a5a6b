import assert from 'node:assert/strict';
import { openMongo } from '../../../../storage/servers/mongo.js';
import { hashPassword } from '../../../../storage/users/password.js';
import { assertRefused, badValues } from '../../../support/gateway/envelope.js';
import { openTestService, type TestService } from '../../../support/gateway/gateway.js';
import { openMailbox, type Mailbox } from '../../../support/gateway/mailbox.js';
import { until } from '../../../support/process/until.js';

const password = 'correct horse';
const newPassword = 'battery staple';
const badLink = { status: 400, type: 'INVALID_INPUT_TOKEN', field: 'token' };
const madeUp = 'x'.repeat(43);

describe('links in mails', () => {
  let service: TestService;
  let mailbox: Mailbox;
  let passwordHash: string;
  let people = 0;

  before(async () => {
    service = await openTestService({ computeNodes: 0, env: { TRUSTED_HOPS: '1' } });
    passwordHash = await hashPassword(password);
    mailbox = openMailbox(service);
  });
  after(async () => {
    await mailbox.close();
    await service.close();
  });
  // All tests ask from one network.
  afterEach(() => service.deps.redis.flushdb());

  const newEmail = () => `user-${++people}@example.com`;
  const newUser = async (emailVerified = true) => {
    const email = newEmail();
    const { id } = await service.storage.users.add({ email, plan: 'free', passwordHash, emailVerified });
    return { id, email };
  };
  const tokenTo: Mailbox['tokenTo'] = (email, number) => mailbox.tokenTo(email, number);
  const login = (email: string, given: string) => service.post('/backend/login', { email, password: given });
  const forgot = (email: string) => service.post('/backend/password/forgot', { email });
  const resetLink = async (email: string) => {
    const before = mailbox.mailsTo(email).length;
    assert.equal((await forgot(email)).status, 200);
    return tokenTo(email, before + 1);
  };
  const reset = (token: string, chosen = newPassword) =>
    service.post('/backend/password/reset', { token, newPassword: chosen });
  /** Who has signed up and signed in twice. */
  const signedUp = async () => {
    const email = newEmail();
    assert.equal((await service.post('/backend/signup', { email, password })).status, 200);
    const [own, other] = [await login(email, password), await login(email, password)];
    return { email, own: own.payload.token as string, other: other.payload.token as string };
  };
  /** Whether the e-mail of a session is confirmed; undefined if the session has ended. */
  const isVerified = async (token: string): Promise<boolean | undefined> => {
    const answer = await fetch(`${service.url}/backend/account`, { headers: { 'session-token': token } });
    return ((await answer.json()) as { payload: { isVerified?: boolean } }).payload.isVerified;
  };
  const verify = (token: string) => service.post('/backend/verify-email', { token });

  describe('POST /backend/verify-email', () => {
    it('confirms the e-mail of a sign-up, once, with its session or its password, and ends other sessions', async () => {
      for (const by of ['session', 'password'] as const) {
        const { email, own, other } = await signedUp();
        assert.equal(await isVerified(own), false);
        const token = await tokenTo(email);
        const answer =
          by === 'session'
            ? await service.post('/backend/verify-email', { token }, { 'session-token': own })
            : await service.post('/backend/verify-email', { token, password });
        const session = answer.payload.token as string | null;
        assert.deepEqual(
          [answer.status, answer.payload],
          [200, { email, keepsPassword: true, token: session }],
        );
        assert.equal(await isVerified(by === 'session' ? own : session!), true);
        assert.deepEqual([await isVerified(other), (await login(email, password)).status], [undefined, 200]);
        assertRefused(await verify(token), badLink);
      }
      assertRefused(await verify(madeUp), badLink);
    });

    it('does not bless the session and password of a stranger who signed up first', async () => {
      const { email, own } = await signedUp();
      const someoneElse = await service.signIn();
      const token = await tokenTo(email);
      const wrong = await service.post('/backend/verify-email', { token, password: 'wrong one' });
      assertRefused(wrong, { status: 400, type: 'INVALID_INPUT_PASSWORD', field: 'password' });
      const { status, payload } = await service.post(
        '/backend/verify-email',
        { token },
        { 'session-token': someoneElse },
      );
      assert.deepEqual([status, payload], [200, { email, keepsPassword: false, token: null }]);
      assert.deepEqual([await isVerified(own), (await login(email, password)).status], [undefined, 401]);
      assert.equal((await reset(await resetLink(email))).status, 200);
      assert.equal((await login(email, newPassword)).status, 200);
    });

    it('does not confirm for the link of a reset, and not for a user who is gone', async () => {
      const { id, email } = await newUser(false);
      assertRefused(await verify(await resetLink(email)), badLink);
      assert.equal((await service.storage.users.byId(id))?.emailVerifiedAt, null);
      await service.storage.mails.ask('verify', email);
      const token = await tokenTo(email, 2);
      await service.storage.users.remove(id);
      assertRefused(await verify(token), badLink);
    });

    for (const { what, body, ...expected } of badValues({}, 'token', 'INVALID_INPUT_TOKEN', [
      ...[undefined, null, 1, '', { $ne: '' }, 'x'.repeat(101)],
    ]))
      it(`refuses ${what}, and repeats no part of it`, async () => {
        const answer = await service.post('/backend/verify-email', body);
        assertRefused(answer, expected, what);
        assert.doesNotMatch(answer.payload.message, /xxx/);
      });
  });

  describe('POST /backend/verify-email/send', () => {
    it('sends another mail, whose link ends the one before', async () => {
      const { email, own } = await signedUp();
      const first = await tokenTo(email);
      const headers = { 'session-token': own };
      const answer = await service.post('/backend/verify-email/send', {}, headers);
      assert.deepEqual([answer.status, answer.payload], [200, { isVerified: false }]);
      const second = await tokenTo(email, 2);
      assertRefused(await verify(first), badLink);
      assert.equal((await service.post('/backend/verify-email', { token: second }, headers)).status, 200);
      const again = await service.post('/backend/verify-email/send', {}, headers);
      assert.deepEqual(again.payload, { isVerified: true });
    });

    it('is for who is signed in', async () => {
      assertRefused(await service.post('/backend/verify-email/send', {}), {
        status: 401,
        type: 'UNAUTHORIZED',
      });
    });
  });

  describe('POST /backend/password/forgot', () => {
    it('answers the same whether or not the e-mail has an account, and sends a mail only where it has', async () => {
      const [{ email }, unknown] = [await newUser(), newEmail()];
      const answers = [await forgot(email), await forgot(unknown)];
      for (const { status, result, payload } of answers)
        assert.deepEqual(
          [status, result, payload],
          [200, { type: 'OPERATION_PERFORMED' }, { linkMinutes: 60 }],
        );
      await tokenTo(email);
      const mongo = openMongo(service.mongodbUrl, { timeoutMs: 10_000 });
      const stored = () => mongo.db.collection('mails').countDocuments({ email: unknown });
      await until('the request to be dropped', async () => (await stored()) === 0);
      await mongo.close();
      assert.deepEqual(mailbox.mailsTo(unknown), []);
    });

    it('sends five mails to one recipient for a network, and answers the same from then on', async () => {
      const { email } = await newUser();
      const mongo = openMongo(service.mongodbUrl, { timeoutMs: 10_000 });
      const request = async () =>
        (await mongo.db.collection('mails').findOne({ email }))?.requestId as unknown;
      const from = (address: string, given: string) =>
        service.post('/backend/password/forgot', { email: given }, { 'x-forwarded-for': address });
      const requests = new Set<unknown>();
      for (let n = 0; n < 7; n++) {
        const { status, payload } = await from('192.0.2.1', n === 6 ? email.toUpperCase() : email);
        assert.deepEqual([status, payload], [200, { linkMinutes: 60 }]);
        requests.add(await request());
      }
      assert.equal(requests.size, 5);
      // A stranger in another network has not used up what the owner may ask for.
      assert.equal((await from('192.0.2.2', email)).status, 200);
      assert.ok(!requests.has(await request()));
      await mongo.close();
    });

    it('lets a network ask for 20 mails, and answers the same from then on', async () => {
      const emails = await Promise.all(Array.from({ length: 22 }, async () => (await newUser()).email));
      for (const email of emails) assert.equal((await forgot(email)).status, 200);
      const sent = () => emails.filter((email) => mailbox.mailsTo(email).length > 0);
      await until('the mails', () => sent().length >= 20);
      const after = await newUser();
      await service.deps.redis.flushdb();
      await resetLink(after.email);
      assert.equal(sent().length, 20);
    });
  });

  describe('POST /backend/password/reset', () => {
    it('sets the password, and ends all sessions and the link', async () => {
      const { id, email } = await newUser();
      await service.storage.sessions.open(id, 'web');
      await service.storage.sessions.open(id, 'ios');
      const token = await resetLink(email);
      const answer = await reset(token);
      assert.deepEqual([answer.status, answer.payload], [200, { ended: 2 }]);
      assert.deepEqual(
        [(await login(email, password)).status, (await login(email, newPassword)).status],
        [401, 200],
      );
      assertRefused(await reset(token, 'another one'), badLink);
    });

    it('ends the personal tokens of the account, whether or not it was confirmed', async () => {
      for (const isConfirmed of [true, false]) {
        const { id, email } = await newUser(isConfirmed);
        const expiresAt = new Date(Date.now() + 86_400_000);
        const { personalTokens, users } = service.storage;
        await personalTokens.add({ userId: id, name: 'laptop', scopes: ['read:analysis'], expiresAt });
        assert.equal((await reset(await resetLink(email))).status, 200);
        assert.deepEqual(await personalTokens.ofUser(id), []);
        assert.notEqual((await users.byId(id))!.emailVerifiedAt, null);
      }
    });

    it('lets one of many uses of a link at the same time through', async () => {
      const { email } = await newUser();
      const token = await resetLink(email);
      const answers = await Promise.all(Array.from({ length: 6 }, (_, n) => reset(token, `password ${n}`)));
      const statuses = answers.map(({ status }) => status);
      assert.deepEqual([...statuses].sort(), [200, 400, 400, 400, 400, 400]);
      assert.equal((await login(email, `password ${statuses.indexOf(200)}`)).status, 200);
    });

    it('refuses the link after a newer one, and after the password was changed', async () => {
      const { id, email } = await newUser();
      const [first, second] = [await resetLink(email), await resetLink(email)];
      assertRefused(await reset(first), badLink);
      const headers = { 'session-token': await service.storage.sessions.open(id, 'web') };
      const changed = await service.post(
        '/backend/password',
        { currentPassword: password, newPassword },
        headers,
      );
      assert.equal(changed.status, 200);
      assertRefused(await reset(second), badLink);
    });

    it('refuses a bad password, which leaves the link', async () => {
      const { email } = await newUser();
      const token = await resetLink(email);
      for (const { what, body, ...expected } of badValues(
        { token },
        'newPassword',
        'INVALID_INPUT_NEW_PASSWORD',
        [...[undefined, '1234567', 'battery\0staple', 'ä'.repeat(513)]],
      ))
        assertRefused(await service.post('/backend/password/reset', body), expected, what);
      assert.equal((await reset(token)).status, 200);
    });
  });

  describe('the mail that tells of a new password', () => {
    const told = (email: string) =>
      mailbox.mailsTo(email).filter(({ subject }) => subject.includes('new password is set'));
    const change = async (id: string, from: string, to: string) => {
      const headers = { 'session-token': await service.storage.sessions.open(id, 'web') };
      const given = { currentPassword: from, newPassword: to };
      return (await service.post('/backend/password', given, headers)).status;
    };

    it('comes after a change and after a reset, with what to do, and leaves nothing behind', async () => {
      const { id, email } = await newUser();
      assert.equal(await change(id, password, newPassword), 200);
      await until('the mail', () => told(email).length === 1);
      assert.match(told(email)[0].text, /If you did not, choose another password at once:/);
      const number = mailbox.mailsTo(email).length;
      await forgot(email);
      await reset(await tokenTo(email, number + 1), 'another password');
      await until('the second mail', () => told(email).length === 2);
      const mongo = openMongo(service.mongodbUrl, { timeoutMs: 10_000 });
      const left = () => mongo.db.collection('mails').countDocuments({ kind: 'changed', email });
      await until('nothing is left', async () => (await left()) === 0);
      await mongo.close();
    });

    it('does not come after a refused change, nor to an e-mail that is not confirmed', async () => {
      const known = await newUser();
      assert.equal(await change(known.id, 'wrong password', newPassword), 400);
      const stranger = await newUser(false);
      assert.equal(await change(stranger.id, password, newPassword), 200);
      const after = await newUser();
      assert.equal(await change(after.id, password, newPassword), 200);
      await until('the mail of a later change', () => told(after.email).length === 1);
      assert.deepEqual([told(known.email), mailbox.mailsTo(stranger.email)], [[], []]);
    });

    it('does not flood a mailbox, and is not held back by mails that others ask for', async () => {
      const { id, email } = await newUser();
      for (let n = 0; n < 7; n++) await forgot(email);
      for (let n = 0; n < 7; n++) {
        assert.equal(await change(id, n === 0 ? password : `password ${n - 1}`, `password ${n}`), 200);
        if (n < 5) await until('the mail', () => told(email).length === n + 1);
      }
      const after = await newUser();
      assert.equal(await change(after.id, password, newPassword), 200);
      await until('the mail of a later change', () => told(after.email).length === 1);
      assert.equal(told(email).length, 5);
    });
  });

  it('are in no answer, and nowhere in the database', async () => {
    const { email } = await newUser();
    const token = await resetLink(email);
    const mongo = openMongo(service.mongodbUrl, { timeoutMs: 10_000 });
    for (const { name } of await mongo.db.listCollections().toArray()) {
      const text = JSON.stringify(await mongo.db.collection(name).find().toArray());
      assert.ok(!text.includes(token), name);
    }
    await mongo.close();
  });

  it('are asked for although the mail of a sign-up is over the limit', async () => {
    const email = newEmail();
    for (let n = 0; n < 6; n++) await forgot(email);
    assert.equal((await service.post('/backend/signup', { email, password })).status, 200);
  });
});
