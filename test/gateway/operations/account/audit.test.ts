import assert from 'node:assert/strict';
import { createGateway } from '../../../../gateway/app.js';
import type { ListAuditOutput } from '../../../../gateway/operations/account/list-audit.js';
import { openDeps } from '../../../../gateway/open-deps.js';
import { hashPassword } from '../../../../storage/users/password.js';
import { openLog } from '../../../../storage/process/log.js';
import { hiddenFields, PageClient } from '../../../support/browser/page-client.js';
import { openMailbox } from '../../../support/gateway/mailbox.js';
import { authorizationPath } from '../../../support/oauth/authorization-request.js';
import { postJson } from '../../../support/oauth/oauth-client.js';
import { openTestService, type TestAnswer, type TestService } from '../../../support/gateway/gateway.js';
import { makeStoredExecution } from '../../../support/signals/make-stored-execution.js';
import { until } from '../../../support/process/until.js';
import { listenLocally } from '../../../support/servers/listen-locally.js';

const password = 'correct horse';

describe('the account: its events, limits, sessions and end', () => {
  let service: TestService;
  let passwordHash: string;
  let people = 0;

  before(async () => {
    service = await openTestService({ computeNodes: 0, env: { MARKET: 'demo' } });
    passwordHash = await hashPassword(password);
  });
  after(() => service.close());

  const newUser = async (hash: string | null = passwordHash) => {
    const email = `owner-${++people}@example.com`;
    const { id } = await service.storage.users.add({ email, plan: 'free', passwordHash: hash });
    return { id, email, token: await service.storage.sessions.open(id, 'web') };
  };
  const ask = async (token: string, method: string, path: string, body?: object): Promise<TestAnswer> => {
    const answer = await fetch(`${service.url}/backend${path}`, {
      method,
      headers: {
        ...(token === '' ? {} : { 'session-token': token }),
        ...(body ? { 'Content-Type': 'application/json' } : {}),
        'User-Agent': 'auditor/1.0',
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const { result, payload } = (await answer.json()) as Pick<TestAnswer, 'result' | 'payload'>;
    return { status: answer.status, headers: answer.headers, result, payload };
  };
  const eventsOf = async (token: string, query = '') =>
    ((await ask(token, 'GET', `/audit${query}`)).payload as ListAuditOutput).events;
  const callTool = (token: string, url = service.url) =>
    fetch(`${url}/mcp`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        Authorization: `Bearer ${token}`,
        'User-Agent': 'an-mcp-client/2',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    }).then(async (answer) => (await answer.text(), answer.status));

  it('GET /backend/audit lists what was done, by whom, and never a secret', async () => {
    const { email, token: first } = await newUser();
    await ask('', 'POST', '/login', { email, password: 'wrong password' });
    const signedIn = await ask('', 'POST', '/login', { email, password });
    const token = signedIn.payload.token as string;
    const made = await ask(token, 'POST', '/tokens', { name: 'laptop', scopes: ['read:analysis'] });
    assert.equal(await callTool(made.payload.token), 200);
    await until('the use from a new address is noted', async () =>
      (await eventsOf(token)).some(({ event }) => event === 'token_used_from_new_address'),
    );
    assert.equal(await callTool(made.payload.token), 200);
    await ask(token, 'DELETE', `/tokens/${made.payload.id}`);
    await ask(token, 'POST', '/password', { currentPassword: 'wrong again', newPassword: 'battery staple' });
    await ask(token, 'POST', '/password', { currentPassword: password, newPassword: 'battery staple' });
    await service.storage.sessions.open((await service.deps.signedIn.find(token))!.userId, 'ios');
    await ask(token, 'POST', '/sessions/end', { keepThis: true });

    const events = (await eventsOf(token)).reverse();
    assert.deepEqual(
      events.map(({ event, details }) => [event, details]),
      [
        ['failed_sign_in', { to: 'sign in' }],
        ['sign_in', { by: 'password' }],
        ['token_made', { name: 'laptop', scopes: 'read:analysis', expiresInDays: 90 }],
        ['token_used_from_new_address', { name: 'laptop' }],
        ['token_revoked', { name: 'laptop' }],
        ['failed_sign_in', { to: 'change the password' }],
        ['password_changed', { endedSessions: 1 }],
        ['session_ended', { count: 1 }],
      ],
    );
    const agents = new Set(events.map(({ address, client }) => `${address} ${client}`));
    assert.deepEqual([...agents], ['127.0.0.1 auditor/1.0', '127.0.0.1 an-mcp-client/2']);
    const text = JSON.stringify(events);
    for (const secret of [password, 'wrong', 'battery staple', first, token, made.payload.token, email])
      assert.equal(text.includes(secret as string), false);
    assert.deepEqual(
      (await eventsOf(token, '?event=token_made')).map(({ event }) => event),
      ['token_made'],
    );
  });

  it('GET /backend/audit comes in pages, and shows a user nothing of others', async () => {
    const [ada, bob] = [await newUser(), await newUser()];
    for (const { email } of [ada, bob, ada]) await ask('', 'POST', '/login', { email, password });
    const first = await ask(ada.token, 'GET', '/audit?limit=1');
    const second = await ask(ada.token, 'GET', `/audit?limit=1&cursor=${first.payload.nextCursor}`);
    assert.deepEqual(
      [first, second].map(({ payload }) => (payload as ListAuditOutput).events.length),
      [1, 1],
    );
    assert.ok(first.payload.events[0].time >= second.payload.events[0].time);
    assert.equal(second.payload.nextCursor, null);
    assert.equal((await ask(bob.token, 'GET', '/audit')).payload.events.length, 1);
    const refused = await ask(ada.token, 'GET', '/audit?cursor=x');
    assert.deepEqual([refused.status, refused.result.type], [400, 'INVALID_INPUT_CURSOR']);
    assert.equal((await ask('', 'GET', '/audit')).status, 401);
  });

  it('what mails, apps and clients do is listed, too', async () => {
    const { id, email, token } = await newUser();
    await service.storage.users.setEmailVerified(id, false);
    const mailbox = openMailbox(service);
    try {
      await ask(token, 'POST', '/verify-email/send', {});
      await ask(token, 'POST', '/verify-email', { token: await mailbox.tokenTo(email) });
      await ask('', 'POST', '/password/forgot', { email });
      const link = await mailbox.tokenTo(email, 2);
      await ask('', 'POST', '/password/reset', { token: link, newPassword: 'battery staple' });
    } finally {
      await mailbox.close();
    }
    const client = new PageClient(service.url);
    const { text } = await client.get(authorizationPath());
    const hidden = hiddenFields(text.split('action="/authorize/login"')[1]);
    const consent = { ...hidden, email, password: 'battery staple', decision: 'allow' };
    assert.equal((await client.post('/authorize/login', consent)).status, 303);
    const registration = { client_name: 'An app', redirect_uris: ['https://app.example/callback'] };
    assert.equal((await postJson(`${service.url}/register`, registration)).status, 201);

    const session = (await ask('', 'POST', '/login', { email, password: 'battery staple' })).payload.token;
    const shown = (await eventsOf(session as string)).map(({ event, details }) => [event, details] as const);
    assert.deepEqual(shown.filter(([event]) => !['sign_in', 'reset_asked'].includes(event)).reverse(), [
      ['email_verified', {}],
      ['password_changed', { by: 'mail', endedSessions: 1 }],
      ['app_connected', { name: 'an app on this computer', scopes: 'read:portfolio read:analysis' }],
    ]);
    assert.equal(shown.filter(([event]) => event === 'reset_asked').length, 1);
    await until('the registration is noted', async () => {
      const query = { event: 'client_registered', limit: 5 } as const;
      const { events } = await service.storage.auditEvents.list(query);
      return events.some(({ userId, details }) => userId === null && details.name === 'An app');
    });
  });

  it('a storm of failed sign-ins is counted, not stored', async () => {
    const { id, token } = await newUser();
    const caller = { address: '192.0.2.1', client: 'x' };
    for (let n = 0; n < 2_000; n++) service.deps.audit.note('failed_sign_in', id, caller);
    const { payload } = await ask(token, 'GET', '/audit?limit=100');
    const { events, unlisted } = payload as ListAuditOutput;
    assert.equal(events.length, 20);
    assert.deepEqual(
      unlisted.map(({ event, count }) => [event, count]),
      [['failed_sign_in', 1_980]],
    );
  });

  it('a token of a second network is noted by each gateway once', async () => {
    const { token } = await newUser();
    const made = await ask(token, 'POST', '/tokens', { name: 'roaming' });
    const { settings, redisUrl, mongodbUrl } = service;
    const second = await openDeps({
      settings: { ...settings, TRUSTED_HOPS: 1 },
      ...{ redisUrl, mongodbUrl, log: openLog(settings, 'test') },
    });
    const server = createGateway(second.deps);
    const url = await listenLocally(server);
    try {
      assert.equal(await callTool(made.payload.token), 200);
      for (const address of ['198.51.100.7', '198.51.100.7', '198.51.100.8', '127.0.0.1']) {
        const answer = await fetch(`${url}/mcp`, {
          method: 'POST',
          headers: {
            'Content-Type': 'application/json',
            Accept: 'application/json, text/event-stream',
            Authorization: `Bearer ${made.payload.token}`,
            'X-Forwarded-For': address,
          },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
        });
        await answer.text();
        assert.equal(answer.status, 200);
      }
    } finally {
      server.closeAllConnections();
      server.close();
      // What a gateway has noted is stored before it ends.
      await second.close();
    }
    await service.deps.tokenNetworks.settled();
    const uses = await eventsOf(token, '?event=token_used_from_new_address');
    assert.deepEqual(uses.map(({ address }) => address).sort(), [
      '127.0.0.1',
      '198.51.100.7',
      '198.51.100.8',
    ]);
  });

  it('DELETE /backend/sessions/:id ends that one session, by an id that gives no access', async () => {
    const { id, token } = await newUser();
    const other = await service.storage.sessions.open(id, 'ios');
    const { sessions } = (await ask(token, 'GET', '/sessions')).payload;
    const phone = sessions.find(({ client }: { client: string }) => client === 'ios').id as string;
    assert.match(phone, /^[0-9a-f]{24}$/);
    assert.equal((await ask(phone, 'GET', '/sessions')).status, 401);
    const stranger = await newUser();
    const refused = await ask(stranger.token, 'DELETE', `/sessions/${phone}`);
    assert.deepEqual([refused.status, refused.result.type], [404, 'INVALID_INPUT_ID']);
    assert.deepEqual((await ask(token, 'DELETE', `/sessions/${phone}`)).payload, { ended: 1 });
    assert.equal((await ask(other, 'GET', '/sessions')).status, 401);
    assert.equal((await ask(token, 'GET', '/sessions')).payload.sessions.length, 1);
    assert.equal((await ask(token, 'DELETE', `/sessions/${phone}`)).status, 404);
  });

  it('GET /backend/usage counts what is used of each limit', async () => {
    const { token } = await newUser();
    await ask(token, 'POST', '/tokens', { name: 'laptop' });
    const { points, today, ...usage } = (await ask(token, 'GET', '/usage')).payload;
    assert.deepEqual(usage, {
      plan: 'free',
      backtests: { used: 0, limit: 200 },
      sessions: { used: 1, limit: 100 },
      tokens: { used: 1, limit: 10 },
    });
    assert.equal(points.used, 2);
    assert.equal(points.limit - points.used, points.remaining);
    assert.deepEqual([today.requests, today.points], [2, 2]);
    assert.ok(Date.now() - Date.parse(today.day as string) < 2 * 86_400_000);
  });

  describe('POST /backend/account/delete', () => {
    it('removes everything of the user, and keeps one event that does not name them', async () => {
      const { id, email, token } = await newUser();
      const made = await ask(token, 'POST', '/tokens', { name: 'laptop' });
      assert.equal(await callTool(made.payload.token), 200);
      for (const [body, type] of [
        [{ password }, 'INVALID_INPUT_CONFIRM'],
        [{ confirm: email }, 'INVALID_INPUT_PASSWORD'],
        [{ password, confirm: 'another@example.com' }, 'INVALID_INPUT_CONFIRM'],
        [{ password: 'wrong password', confirm: email }, 'INVALID_INPUT_PASSWORD'],
      ] as const) {
        const { status, result } = await ask(token, 'POST', '/account/delete', body);
        assert.deepEqual([status, result.type], [400, type]);
      }
      const { storage } = service;
      assert.equal((await storage.users.byId(id))?.email, email);
      const before = await storage.auditEvents.list({ event: 'account_removed', limit: 10 });
      const deleted = await ask(token, 'POST', '/account/delete', {
        password,
        confirm: email.toUpperCase(),
      });
      assert.deepEqual([deleted.status, deleted.payload], [200, { deleted: true }]);
      assert.equal(await storage.users.byId(id), null);
      assert.equal((await ask(token, 'GET', '/sessions')).status, 401);
      assert.equal(await callTool(made.payload.token), 401);
      assert.deepEqual((await storage.auditEvents.list({ userId: id, limit: 10 })).events, []);
      await until('the removal is noted', async () => {
        const { events } = await storage.auditEvents.list({ event: 'account_removed', limit: 10 });
        if (events.length === before.events.length) return false;
        const [{ userId, address, client, details }] = events;
        assert.deepEqual(
          { userId, address, client, details },
          { userId: null, address: null, client: null, details: {} },
        );
        return true;
      });
    });

    it('is refused while signals are executed on a real exchange, not while they are on paper', async () => {
      const { id, email, token } = await newUser();
      const { executions, executionReads } = service.storage;
      const live = makeStoredExecution({ userId: id, exchange: 'BINANCE' });
      const paper = makeStoredExecution({ userId: id, exchange: 'PAPER' });
      await executions.addAll([live, paper]);
      const body = { password, confirm: email };
      const refused = await ask(token, 'POST', '/account/delete', body);
      assert.deepEqual(
        [refused.status, refused.payload.message],
        [
          409,
          `signals that are still executed on BINANCE: 1, BTC/USDT (${live.signalId}); close them first (POST /backend/trading/close-all)`,
        ],
      );
      assert.equal((await executionReads.openOf(id)).length, 2);
      assert.equal((await ask(token, 'GET', '/sessions')).status, 200);
    });

    it('needs a fresh sign-in where the account has no password', async () => {
      const { id, email, token } = await newUser(null);
      const old = await service.storage.sessions.open(id, 'web', Date.now() - 11 * 60_000);
      const refused = await ask(old, 'POST', '/account/delete', { confirm: email });
      assert.equal(refused.status, 403);
      assert.equal((await ask(token, 'POST', '/account/delete', { confirm: email })).status, 200);
    });
  });
});
