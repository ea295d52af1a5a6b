import assert from 'node:assert/strict';
import { hashPassword } from '../../../../storage/users/password.js';
import { hiddenFields, PageClient, type SeenPage } from '../../../support/browser/page-client.js';
import { openTestService, type TestService } from '../../../support/gateway/gateway.js';
import { logLines } from '../../../support/process/log-lines.js';
import { authorizationPath, newChallenge } from '../../../support/oauth/authorization-request.js';

const account = { email: 'ada@example.com', password: 'a long password' };
const callback = 'http://127.0.0.1:4711/callback';

describe('POST /authorize/login', () => {
  let service: TestService;
  let userId: string;
  const { log, lines } = logLines();

  before(async () => {
    service = await openTestService({ computeNodes: 0, log });
    const passwordHash = await hashPassword(account.password);
    ({ id: userId } = await service.storage.users.add({ email: account.email, plan: 'free', passwordHash }));
  });
  after(() => service.close());

  interface Opened {
    client: PageClient;
    hidden: Record<string, string>;
    text: string;
  }

  /** A page of consent in a browser of its own, or in a given one. */
  async function open(
    more: Record<string, string | undefined> = {},
    client = new PageClient(service.url),
  ): Promise<Opened> {
    const { status, text } = await client.get(authorizationPath(more));
    assert.equal(status, 200);
    const form = text.split('action="/authorize/login"')[1];
    return { client, hidden: hiddenFields(form), text };
  }

  const decide = (
    { client, hidden }: Opened,
    fields: Record<string, string>,
    headers: Record<string, string> = {},
  ) => client.post('/authorize/login', { ...hidden, ...fields }, headers);
  const allow = (opened: Opened, more: Record<string, string> = {}, headers: Record<string, string> = {}) =>
    decide(opened, { ...account, decision: 'allow', ...more }, headers);

  function answerOf({ status, location }: SeenPage): Record<string, string> {
    assert.equal(status, 303);
    const url = new URL(location!);
    assert.equal(`${url.origin}${url.pathname}`, callback);
    return Object.fromEntries(url.searchParams);
  }

  it('connects no app to an account whose e-mail is not confirmed, by session or password', async () => {
    const { storage } = service;
    const stranger = { email: 'stranger@example.com', plan: 'free', emailVerified: false } as const;
    const passwordHash = await hashPassword(account.password);
    const { id } = await storage.users.add({ ...stranger, passwordHash });
    const given = { email: stranger.email, password: account.password };
    const byPassword = await decide(await open(), { ...given, decision: 'allow' });
    const client = new PageClient(service.url);
    await client.submit('/sign-in', given);
    const bySession = await decide(await open({}, client), { decision: 'allow' });
    for (const { status, text } of [byPassword, bySession]) {
      assert.equal(status, 403);
      assert.match(text, /onfirm your e-mail first/);
    }
    assert.equal((await storage.grants.ofUser(id)).length, 0);
  });

  it('sends the browser back with a code that leads to what was asked for (o32)', async () => {
    const { challenge } = newChallenge();
    const page = await allow(await open({ code_challenge: challenge }));
    const { code, ...rest } = answerOf(page);
    assert.deepEqual(rest, { state: 'the state', iss: service.url });
    assert.equal(page.text, '');
    assert.equal(page.headers.get('cache-control'), 'no-store');
    assert.equal(page.headers.get('referrer-policy'), 'no-referrer');
    const found = (await service.storage.grantTokens.ofCode(code))!;
    const { grant, code: bound } = found;
    assert.deepEqual(
      [grant.userId, grant.clientId, grant.clientName, grant.redirectHost, grant.scopes, grant.resource],
      [
        userId,
        'my-cli',
        'an app on this computer',
        '127.0.0.1:4711',
        ['read:portfolio', 'read:analysis'],
        `${service.url}/mcp`,
      ],
    );
    assert.deepEqual(
      [bound.redirectUri, bound.challenge, bound.challengeMethod],
      [callback, challenge, 'S256'],
    );
  });

  it('opens no session of the pages', async () => {
    const opened = await open();
    await allow(opened);
    assert.deepEqual([...opened.client.cookies.keys()], ['browser']);
    assert.deepEqual(await service.storage.sessions.ofUser(userId), []);
  });

  it('writes neither code nor password nor the ids of the page into the log (o32)', async () => {
    const opened = await open();
    const { code } = answerOf(await allow(opened));
    const text = JSON.stringify(lines);
    assert.match(text, /"path":"\/authorize\/login"/);
    for (const secret of [
      code,
      account.password,
      opened.hidden.transaction,
      opened.client.cookies.get('browser')!,
    ])
      assert.ok(!text.includes(secret));
  });

  it('notes that a client uses the method plain', async () => {
    await open({ code_challenge_method: 'plain', code_challenge: 'a'.repeat(43) });
    assert.ok(
      lines.some(({ clientId, msg }) => clientId === 'my-cli' && String(msg).includes('method plain')),
    );
  });

  it('tells the client that access is denied, without a sign-in (o34)', async () => {
    const answer = answerOf(await decide(await open(), { decision: 'deny' }));
    delete answer.error_description;
    assert.deepEqual(answer, { error: 'access_denied', state: 'the state', iss: service.url });
  });

  it('sends no state where none came', async () => {
    const answer = answerOf(await decide(await open({ state: undefined }), { decision: 'deny' }));
    assert.deepEqual(Object.keys(answer), ['error', 'error_description', 'iss']);
  });

  const refused = async (page: SeenPage, status = 403) => {
    assert.deepEqual([page.status, page.location], [status, null]);
    assert.ok(!page.text.includes('oac_'));
  };

  it('refuses a form without the id of its transaction, with a made-up one, and one of another browser (o23)', async () => {
    const [mine, other] = [await open(), await open()];
    for (const transaction of ['', 'made-up', other.hidden.transaction, `${mine.hidden.transaction} `])
      await refused(await allow(mine, { transaction }));
    await refused(await mine.client.post('/authorize/login', { ...account, decision: 'allow' }));
    mine.client.cookies.set('browser', other.client.cookies.get('browser')!);
    await refused(await allow(mine));
    mine.client.cookies.delete('browser');
    await refused(await allow(mine));
    assert.equal((await allow(other)).status, 303);
  });

  it('takes one decision of each page, also of several at the same moment', async () => {
    const opened = await open();
    const pages = await Promise.all(Array.from({ length: 5 }, () => allow(opened)));
    assert.deepEqual(pages.map(({ status }) => status).sort(), [303, 403, 403, 403, 403]);
    await refused(await decide(opened, { decision: 'deny' }));
  });

  it('refuses forms of other sites (o25)', async () => {
    for (const headers of [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin: service.url },
      { origin: 'null' },
    ])
      await refused(await allow(await open(), {}, headers));
    // Browsers hide the origin of a page whose referrer policy is no-referrer.
    for (const origin of [service.url, 'null'])
      assert.equal((await allow(await open(), {}, { origin, 'sec-fetch-site': 'same-origin' })).status, 303);
  });

  it('ignores what a form says about the request: that was stored (o26)', async () => {
    const tampered = {
      ...{
        redirect_uri: 'https://evil.example/',
        scope: 'ask:assistant',
        client_id: 'other',
        state: 'x',
        iss: 'x',
      },
      ...{ code_challenge: 'a'.repeat(43), code_challenge_method: 'plain', resource: 'https://evil.example' },
    };
    const { code, state } = answerOf(await allow(await open(), tampered));
    const { grant, code: bound } = (await service.storage.grantTokens.ofCode(code))!;
    assert.deepEqual(
      [state, grant.clientId, grant.scopes],
      ['the state', 'my-cli', ['read:portfolio', 'read:analysis']],
    );
    assert.deepEqual([bound.redirectUri, bound.challengeMethod], [callback, 'S256']);
  });

  it('shows the page again after a wrong password, the same for an unknown account, and then takes the right one (o28)', async () => {
    const opened = await open();
    const seen = [];
    for (const email of [account.email, 'nobody@example.com']) {
      const { status, text, headers } = await allow(opened, { email, password: 'wrong' });
      assert.equal(status, 401);
      assert.match(text, /<p>E-mail or password is wrong\.<\/p>/);
      assert.match(headers.get('content-security-policy')!, /frame-ancestors 'none'$/);
      seen.push(text.replaceAll(email, 'E'));
    }
    assert.equal(seen[0], seen[1]);
    assert.equal(answerOf(await allow(opened)).state, 'the state');
  });

  for (const [what, password, status] of [
    ['empty', '', 400],
    ['with NUL', 'a\0b', 400],
    ['of 1,025 bytes', 'p'.repeat(1_025), 400],
    ['of 1,024 bytes', 'p'.repeat(1_024), 401],
    ['of 1 MB', 'p'.repeat(1_000_000), 413],
    ['that begins as the right one', `${account.password}${'x'.repeat(60)}`, 401],
  ] as const)
    it(`refuses a password ${what} with ${status} (o31)`, async () => {
      await refused(await allow(await open(), { email: 'other@example.com', password }), status);
    });

  for (const decision of ['', 'ALLOW', 'yes', undefined])
    it(`refuses the decision ${JSON.stringify(decision)}`, async () => {
      const opened = await open();
      const fields = { ...account, ...(decision === undefined ? {} : { decision }) };
      await refused(await decide(opened, fields), 400);
    });

  it('refuses a field that comes twice, and what is no form', async () => {
    const { client, hidden } = await open();
    const text = new URLSearchParams({ ...hidden, ...account }).toString();
    await refused(await client.post('/authorize/login', `${text}&decision=deny&decision=allow`), 400);
    await refused(
      await client.post('/authorize/login', JSON.stringify(hidden), { 'Content-Type': 'application/json' }),
      415,
    );
  });

  describe('in a browser that is signed in', () => {
    const signedIn = async (email = account.email) => {
      const client = new PageClient(service.url);
      assert.equal((await client.submit('/sign-in', { ...account, email })).status, 303);
      return client;
    };

    it('asks for consent alone', async () => {
      const opened = await open({}, await signedIn());
      assert.match(opened.text, /signed in as <strong>ada@example\.com<\/strong>/);
      assert.ok(!opened.text.includes('name="password"'));
      const { code } = answerOf(await decide(opened, { decision: 'allow' }));
      assert.equal((await service.storage.grantTokens.ofCode(code))!.grant.userId, userId);
    });

    it('leads to another account and back to the request', async () => {
      const client = await signedIn();
      const path = authorizationPath();
      const out = await client.submit(path, {}, { form: 'sign-out' });
      assert.deepEqual([out.status, out.location], [303, path]);
      assert.ok((await client.get(path)).text.includes('name="password"'));
    });

    it('refuses consent once another account, or none, is signed in', async () => {
      const passwordHash = await hashPassword(account.password);
      await service.storage.users.add({ email: 'bob@example.com', plan: 'free', passwordHash });
      const opened = await open({}, await signedIn());
      const session = opened.client.cookies.get('session')!;
      opened.client.cookies.set('session', (await signedIn('bob@example.com')).cookies.get('session')!);
      await refused(await decide(opened, { decision: 'allow' }));
      opened.client.cookies.delete('session');
      await refused(await decide(opened, { decision: 'allow' }));
      opened.client.cookies.set('session', session);
      assert.equal((await decide(opened, { decision: 'allow' })).status, 303);
    });
  });

  it('leaves no grant of a password that changes while its consent is stored', async () => {
    const opened = await open();
    const { grants, users } = service.deps.storage;
    const consent = grants.consent.bind(grants);
    const passwordHash = await hashPassword('another password');
    const before = (await users.byId(userId))!.passwordHash!;
    grants.consent = async (given, now) => {
      await users.setPassword(userId, passwordHash);
      await grants.removeAll(userId);
      return consent(given, now);
    };
    try {
      await refused(await allow(opened), 401);
    } finally {
      grants.consent = consent;
      await users.setPassword(userId, before);
    }
    assert.deepEqual(await service.storage.grants.ofUser(userId), []);
  });
});

describe('the limits of POST /authorize/login', () => {
  it('refuse the sixth failure of an account from an address, at every gateway, and not from elsewhere (o29)', async () => {
    const env = { LOGIN_FAILURES: '5', TRUSTED_HOPS: '1' };
    const service = await openTestService({ computeNodes: 0, env });
    const second = await openTestService({ computeNodes: 0, env, redisUrl: service.redisUrl });
    try {
      const passwordHash = await hashPassword(account.password);
      for (const each of [service, second])
        await each.storage.users.add({ email: account.email, plan: 'free', passwordHash });
      const attempt = async (at: TestService, password: string, address: string) => {
        const client = new PageClient(at.url);
        const { text } = await client.get(authorizationPath());
        const hidden = hiddenFields(text);
        const headers = { 'x-forwarded-for': address };
        return client.post(
          '/authorize/login',
          { ...hidden, ...account, password, decision: 'allow' },
          headers,
        );
      };
      const statuses = [];
      for (let n = 0; n < 5; n++)
        statuses.push((await attempt(n % 2 ? second : service, 'wrong', '198.51.100.7')).status);
      assert.deepEqual(statuses, Array(5).fill(401));
      for (const each of [service, second]) {
        const { status, headers, text } = await attempt(each, account.password, '198.51.100.7');
        assert.equal(status, 429);
        assert.match(headers.get('retry-after')!, /^\d+$/);
        assert.match(text, /Too many failed sign-ins; try again in \d+ s\./);
      }
      assert.equal((await attempt(service, account.password, '198.51.100.8')).status, 303);
    } finally {
      await second.close();
      await service.close();
    }
  });

  it('over https, bind the page to a browser by a cookie that no other host can set (o25)', async () => {
    const service = await openTestService({
      computeNodes: 0,
      env: { PUBLIC_URL: 'https://tidemark.example' },
    });
    try {
      const passwordHash = await hashPassword(account.password);
      await service.storage.users.add({ email: account.email, plan: 'free', passwordHash });
      const client = new PageClient(service.url);
      const { text } = await client.get(authorizationPath());
      assert.match(
        client.setCookies[0],
        /^__Host-browser=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
      );
      const fields = { ...hiddenFields(text), ...account, decision: 'allow' };
      const { location } = await client.post('/authorize/login', fields);
      assert.equal(new URL(location!).searchParams.get('iss'), 'https://tidemark.example');
    } finally {
      await service.close();
    }
  });
});
