import assert from 'node:assert/strict';
import { createGateway } from '../../../../gateway/app.js';
import { openDeps } from '../../../../gateway/open-deps.js';
import { openLog } from '../../../../storage/process/log.js';
import { hashPassword } from '../../../../storage/users/password.js';
import { sessionIdOf } from '../../../../storage/users/sessions.js';
import { assertRefused, badValues, send } from '../../../support/gateway/envelope.js';
import { openTestService, type TestAnswer, type TestService } from '../../../support/gateway/gateway.js';
import { listenLocally } from '../../../support/servers/listen-locally.js';
import { openMailbox } from '../../../support/gateway/mailbox.js';
import { until } from '../../../support/process/until.js';

const password = 'correct horse';
const unauthorized = { status: 401, type: 'UNAUTHORIZED' };

describe('accounts', () => {
  let service: TestService;
  let passwordHash: string;
  let people = 0;

  before(async () => {
    service = await openTestService({ computeNodes: 0 });
    passwordHash = await hashPassword(password);
  });
  after(() => service.close());

  /** A user with a password and one session. */
  async function somebody() {
    const email = `user-${++people}@example.com`;
    const { id } = await service.storage.users.add({ email, plan: 'free', passwordHash });
    return { id, email, token: await service.storage.sessions.open(id, 'web') };
  }
  const post = (path: string, token: string, body: unknown = {}) =>
    service.post(`/backend${path}`, body, { 'session-token': token });
  const list = async (token: string) => {
    const answer = await fetch(`${service.url}/backend/sessions`, { headers: { 'session-token': token } });
    const body = (await answer.json()) as Pick<TestAnswer, 'result' | 'payload'>;
    return { status: answer.status, headers: answer.headers, ...body };
  };
  const isSignedIn = async (token: string) => (await list(token)).status === 200;

  describe('POST /backend/logout', () => {
    it('ends this session and no other, and is refused the second time', async () => {
      const { id, token } = await somebody();
      const other = await service.storage.sessions.open(id, 'ios');
      const { status, result, payload } = await post('/logout', token);
      assert.deepEqual([status, result, payload], [200, { type: 'OPERATION_PERFORMED' }, { ended: 1 }]);
      assertRefused(await post('/logout', token), unauthorized);
      assert.equal(await isSignedIn(other), true);
    });

    it('needs no body, and takes an empty object', async () => {
      for (const body of [undefined, '', '{}']) {
        const { token } = await somebody();
        const type: Record<string, string> = body === '{}' ? { 'Content-Type': 'application/json' } : {};
        const answer = await send(service, '/backend/logout', body, { ...type, 'session-token': token });
        assert.deepEqual([answer.status, answer.payload], [200, { ended: 1 }]);
      }
    });

    it('refuses a body with more in it, and who is not signed in', async () => {
      const { token } = await somebody();
      const refusal = { status: 400, type: 'INVALID_INPUT_CONTENT', field: 'all' };
      assertRefused(await post('/logout', token, { all: true }), refusal);
      assertRefused(await service.post('/backend/logout', {}), unauthorized);
    });
  });

  describe('POST /backend/logout at one of several gateways', () => {
    it('ends the session at every gateway within a second', async () => {
      const { settings, redisUrl, mongodbUrl } = service;
      const log = openLog(settings, 'test');
      const others = await Promise.all(
        [1, 2].map(async () => {
          const { deps, close } = await openDeps({ settings, redisUrl, mongodbUrl, log });
          const server = createGateway(deps);
          return { url: await listenLocally(server), server, close };
        }),
      );
      const urls = [service.url, ...others.map(({ url }) => url)];
      const statusAt = async (url: string, token: string) =>
        (await fetch(`${url}/backend/sessions`, { headers: { 'session-token': token } })).status;
      for (let round = 0; round < 3; round++) {
        const { token } = await somebody();
        // Every gateway has the session in its cache by the second request.
        for (const url of [...urls, ...urls]) assert.equal(await statusAt(url, token), 200);
        assert.equal((await post('/logout', token)).status, 200);
        assert.equal(await statusAt(service.url, token), 401);
        // Without the message the others would keep it for 60 s.
        for (const url of urls) await until('the end', async () => (await statusAt(url, token)) === 401);
      }
      for (const { server, close } of others) {
        server.closeAllConnections();
        server.close();
        await close();
      }
    });

    it('is possible without points left, and costs a stranger one', async () => {
      const narrow = await openTestService({ computeNodes: 0, env: { RATE_FREE: '2', RATE_GUEST: '3' } });
      const token = await narrow.signIn();
      const sessions = () => fetch(`${narrow.url}/backend/sessions`, { headers: { 'session-token': token } });
      const statuses: number[] = [];
      for (let n = 0; n < 3; n++) statuses.push((await sessions()).status);
      assert.deepEqual(statuses, [200, 200, 429]);
      const out = await narrow.post('/backend/logout', {}, { 'session-token': token });
      assert.deepEqual([out.status, out.payload], [200, { ended: 1 }]);
      const strangers: number[] = [];
      for (let n = 0; n < 4; n++) strangers.push((await narrow.post('/backend/logout', {})).status);
      assert.deepEqual(strangers, [401, 401, 401, 429]);
      await narrow.close();
    });
  });

  describe('GET /backend/sessions', () => {
    it('lists where the user is signed in, without tokens', async () => {
      const { id, token } = await somebody();
      const phone = await service.storage.sessions.open(id, 'android', Date.now() + 1_000);
      await somebody();
      const { status, payload } = await list(token);
      assert.equal(status, 200);
      const [android, web] = payload.sessions;
      assert.deepEqual(
        payload.sessions.map(({ client, current }: Record<string, unknown>) => [client, current]),
        [
          ['android', false],
          ['web', true],
        ],
      );
      assert.deepEqual(Object.keys(web), ['id', 'client', 'created', 'expires', 'current']);
      assert.equal(Date.parse(web.expires) - Date.parse(web.created), 7 * 86_400_000);
      assert.equal(Date.parse(android.expires) - Date.parse(android.created), 30 * 86_400_000);
      const text = JSON.stringify(payload);
      for (const secret of [token, phone, sessionIdOf(token)!]) assert.ok(!text.includes(secret));
    });

    it('is for who is signed in', async () => {
      assertRefused(await list('nonsense'), unauthorized);
    });
  });

  describe('POST /backend/sessions/end', () => {
    it('ends all sessions, or all others, and nobody else’s', async () => {
      const [ada, bob] = [await somebody(), await somebody()];
      const others = await Promise.all([1, 2].map(() => service.storage.sessions.open(ada.id, 'web')));
      assert.deepEqual((await post('/sessions/end', ada.token, { keepThis: true })).payload, { ended: 2 });
      for (const other of others) assertRefused(await post('/logout', other), unauthorized);
      assert.equal(await isSignedIn(ada.token), true);
      assert.deepEqual((await post('/sessions/end', ada.token)).payload, { ended: 1 });
      assert.equal(await isSignedIn(ada.token), false);
      assert.equal(await isSignedIn(bob.token), true);
    });

    it('refuses what is no boolean', async () => {
      const { token } = await somebody();
      for (const { what, body, ...expected } of badValues({}, 'keepThis', 'INVALID_INPUT_KEEP_THIS', [
        1,
        'true',
        null,
      ]))
        assertRefused(await post('/sessions/end', token, body), expected, what);
    });
  });

  describe('POST /backend/password', () => {
    const change = { currentPassword: password, newPassword: 'battery staple' };
    const login = (email: string, given: string) =>
      service.post('/backend/login', { email, password: given });

    it('changes the password and ends every other session', async () => {
      const { id, email, token } = await somebody();
      const other = await service.storage.sessions.open(id, 'ios');
      const { status, payload } = await post('/password', token, change);
      assert.deepEqual([status, payload], [200, { ended: 1 }]);
      assert.deepEqual([await isSignedIn(token), await isSignedIn(other)], [true, false]);
      assertRefused(await login(email, password), unauthorized);
      assert.equal((await login(email, 'battery staple')).status, 200);
      const { passwordHash: stored } = (await service.storage.users.byId(id))!;
      assert.match(stored!, /^\$argon2id\$/);
    });

    it('refuses a wrong current password, and changes nothing', async () => {
      const { email, token } = await somebody();
      const refusal = { status: 400, type: 'INVALID_INPUT_CURRENT_PASSWORD', field: 'currentPassword' };
      const answer = await post('/password', token, { ...change, currentPassword: 'wrong' });
      assertRefused(answer, refusal);
      assert.equal(answer.payload.message, 'the current password is wrong');
      assert.equal((await login(email, password)).status, 200);
    });

    it('lets one of many changes at once through', async () => {
      const { token } = await somebody();
      const answers = await Promise.all(
        Array.from({ length: 4 }, (_, n) =>
          post('/password', token, { ...change, newPassword: `another-${n}` }),
        ),
      );
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400, 400]);
    });

    it('leaves no session to who signs in with the old password meanwhile', async () => {
      const { id, email, token } = await somebody();
      const logins = Array.from({ length: 6 }, () => login(email, password));
      const [changed, ...answers] = await Promise.all([post('/password', token, change), ...logins]);
      assert.equal(changed.status, 200);
      for (const { status } of answers) assert.ok([200, 401].includes(status), String(status));
      assert.equal((await service.storage.sessions.ofUser(id)).length, 1);
      assert.equal(await isSignedIn(token), true);
    });

    it('counts a wrong current password as a failed sign-in', async () => {
      const strict = await openTestService({ env: { LOGIN_FAILURES: '3' }, computeNodes: 0 });
      const { id } = await strict.storage.users.add({ email: 'ada@example.com', plan: 'free', passwordHash });
      const headers = { 'session-token': await strict.storage.sessions.open(id, 'web') };
      const statuses = [];
      for (let n = 0; n < 4; n++)
        statuses.push(
          (await strict.post('/backend/password', { ...change, currentPassword: 'x' }, headers)).status,
        );
      assert.deepEqual(statuses, [400, 400, 400, 429]);
      assert.equal((await strict.post('/backend/password', change, headers)).status, 429);
      await strict.close();
    });

    const bad = [
      ...badValues(change, 'newPassword', 'INVALID_INPUT_NEW_PASSWORD', [
        ...[undefined, null, 1, {}, '', '1234567', 'a'.repeat(1_025), 'ä'.repeat(513), 'battery\0staple'],
        'a'.repeat(60_000),
      ]),
      ...badValues(change, 'currentPassword', 'INVALID_INPUT_CURRENT_PASSWORD', [
        undefined,
        null,
        1,
        '',
        { $ne: '' },
      ]),
      {
        what: 'more',
        body: { ...change, email: 'x' },
        status: 400,
        type: 'INVALID_INPUT_CONTENT',
        field: 'email',
      },
    ];
    for (const { what, body, ...expected } of bad) {
      it(`refuses ${what}`, async () => {
        const { token } = await somebody();
        const answer = await post('/password', token, body);
        assertRefused(answer, expected, what);
        assert.doesNotMatch(answer.payload.message, /battery|horse|aaaa/);
      });
    }

    it('is for who is signed in', async () => {
      assertRefused(await service.post('/backend/password', change), unauthorized);
    });
  });

  describe('POST /backend/signup', () => {
    const good = () => ({ email: `New-${++people}@example.com`, password });

    it('makes an account with plan free, which opens no session', async () => {
      const body = good();
      const { status, payload } = await service.post('/backend/signup', body);
      assert.deepEqual([status, payload], [200, { linkMinutes: 1_440 }]);
      assert.equal((await service.post('/backend/login', body)).status, 200);
      const { plan, operator, emailVerifiedAt } = (await service.storage.users.byEmail(body.email))!;
      assert.deepEqual([plan, operator, emailVerifiedAt], ['free', false, null]);
    });

    it('answers the same for an e-mail that has an account, in any case, leaves that alone and tells its owner', async () => {
      const { email, id } = await somebody();
      const known = await service.post('/backend/signup', {
        email: email.toUpperCase(),
        password: 'another one',
      });
      const anew = await service.post('/backend/signup', good());
      assert.deepEqual([known.status, known.result, known.payload], [anew.status, anew.result, anew.payload]);
      assert.equal((await service.storage.users.byId(id))?.passwordHash, passwordHash);
      const mailbox = openMailbox(service);
      const [mail] = await until('the mail', () => {
        const mails = mailbox.mailsTo(email);
        return mails.length > 0 && mails;
      });
      assert.match(mail.text, /wanted to make a Tidemark account with this e-mail address/);
      await mailbox.close();
    });

    it('refuses the most common passwords, in any case, wherever one is chosen', async () => {
      const { token } = await somebody();
      for (const chosen of ['password1', 'Password1', '12345678', 'qwertyuiop', 'iloveyou', 'sunshine1']) {
        const asked = await service.post('/backend/signup', { ...good(), password: chosen });
        assertRefused(asked, { status: 400, type: 'INVALID_INPUT_PASSWORD', field: 'password' });
        assert.match(asked.payload.message, /^"password" is among the most common passwords/);
        const change = { currentPassword: password, newPassword: chosen };
        assertRefused(await post('/password', token, change), {
          status: 400,
          type: 'INVALID_INPUT_NEW_PASSWORD',
          field: 'newPassword',
        });
      }
    });

    const bad = [
      ...badValues({ email: 'x@example.com', password }, 'email', 'INVALID_INPUT_EMAIL', [
        undefined,
        null,
        'x',
        { $gt: '' },
      ]),
      ...badValues({ email: 'x@example.com', password }, 'password', 'INVALID_INPUT_PASSWORD', [
        undefined,
        '1234567',
        'a\0bcdefgh',
        'a'.repeat(1_025),
      ]),
      ...[{ plan: 'pro' }, { operator: true }, { emailVerified: true }].map((more) => ({
        what: JSON.stringify(more),
        body: { email: 'x@example.com', password, ...more },
        ...{ status: 400, type: 'INVALID_INPUT_CONTENT', field: Object.keys(more)[0] },
      })),
    ];
    for (const { what, body, ...expected } of bad) {
      it(`refuses ${what}`, async () =>
        assertRefused(await service.post('/backend/signup', body), expected, what));
    }

    it('counts the bytes of a password, and says so', async () => {
      const message = async (chosen: string) => {
        const answer = await service.post('/backend/signup', { email: 'x@example.com', password: chosen });
        return String(answer.payload.message);
      };
      assert.equal(await message('é'.repeat(513)), '"password" must be at most 1024 bytes in UTF-8');
      assert.equal(await message('ééé'), '"password" must be at least 8 bytes in UTF-8');
    });

    it('lets an address make 20 accounts an hour, and can be switched off', async () => {
      const [open, closed] = await Promise.all([
        openTestService({ computeNodes: 0, env: { TRUSTED_HOPS: '1' } }),
        openTestService({ computeNodes: 0, env: { SIGN_UP: 'off' } }),
      ]);
      const from = (address: string) => open.post('/backend/signup', good(), { 'x-forwarded-for': address });
      for (let n = 0; n < 20; n++) {
        const { status, payload } = await from('192.0.2.1');
        assert.equal(status, 200, JSON.stringify(payload));
      }
      const { status, result, headers } = await from('192.0.2.1');
      assert.deepEqual([status, result.type], [429, 'INVALID_INPUT_RATE']);
      assert.ok(Number(headers.get('retry-after')) > 500);
      assert.equal((await from('192.0.2.2')).status, 200);
      assertRefused(await closed.post('/backend/signup', good()), { status: 403, type: 'UNAUTHORIZED' });
      await Promise.all([open.close(), closed.close()]);
    });
  });

  it('ends for a removed user in the same words as for nobody', async () => {
    const { id, token } = await somebody();
    assert.equal(await isSignedIn(token), true);
    await service.storage.users.remove(id);
    const answer = await until('the end', async () => {
      const found = await service.post(
        '/backend/logout',
        {},
        { 'session-token': token, 'x-request-id': 'same' },
      );
      return found.status === 401 && found;
    });
    const missing = await service.post('/backend/logout', {}, { 'x-request-id': 'same' });
    assert.deepEqual([answer.result, answer.payload], [missing.result, missing.payload]);
  });
});
