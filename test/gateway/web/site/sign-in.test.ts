import assert from 'node:assert/strict';
import { hashPassword } from '../../../../storage/users/password.js';
import { hiddenFields, PageClient } from '../../../support/browser/page-client.js';
import { openTestService, type TestService } from '../../../support/gateway/gateway.js';

const account = { email: 'ada@example.com', password: 'a long password' };
const publicUrl = 'https://tidemark.example';

describe('the pages of signing in and out', () => {
  let service: TestService;

  before(async () => {
    service = await openTestService({ computeNodes: 0 });
    const passwordHash = await hashPassword(account.password);
    await service.storage.users.add({ email: account.email, plan: 'free', passwordHash });
  });
  after(() => service.close());

  const open = () => new PageClient(service.url);

  async function signedIn(): Promise<PageClient> {
    const client = open();
    assert.equal((await client.submit('/sign-in', account)).status, 303);
    return client;
  }

  it('have headers that keep them out of frames, caches and referrers, and run nothing of their own text', async () => {
    const { status, headers, text } = await open().get('/sign-in');
    assert.equal(status, 200);
    const names = [
      'cache-control',
      'content-type',
      'referrer-policy',
      'x-frame-options',
      'x-content-type-options',
    ];
    assert.deepEqual(
      names.map((name) => headers.get(name)),
      ['no-store', 'text/html; charset=utf-8', 'no-referrer', 'DENY', 'nosniff'],
    );
    assert.equal(
      headers.get('content-security-policy'),
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    );
    assert.doesNotMatch(text, /<script[^>]*>[^<]|<style|\sstyle=|\son\w+=/);
    for (const [, file] of text.matchAll(/(?:href|src)="(\/site\/[^"]*)"/g))
      assert.equal((await fetch(service.url + file)).status, 200, file);
  });

  it('open a session that the cookie of the browser holds, and end it', async () => {
    const client = open();
    const answer = await client.submit('/sign-in', account);
    assert.deepEqual([answer.status, answer.location, answer.text], [303, '/app', '']);
    const token = client.cookies.get('session')!;
    assert.equal((await service.deps.signedIn.find(token))!.email, account.email);
    const set = client.setCookies.find((each) => each.startsWith('session='))!;
    assert.equal(set, `session=${token}; Path=/; Max-Age=604800; HttpOnly; SameSite=Lax`);
    assert.match((await client.get('/sign-in')).text, /signed in as\s+<strong>ada@example\.com<\/strong>/);

    const out = await client.submit('/sign-out', {}, { form: 'sign-out' });
    assert.deepEqual([out.status, out.location], [303, '/sign-in?done=signed-out']);
    assert.equal(client.cookies.has('session'), false);
    assert.equal(await service.deps.signedIn.find(token), null);
    assert.match((await client.get(out.location!)).text, /role="status">You are signed out\.</);
  });

  it('go on to a page of this service alone', async () => {
    const next = async (to: string) => {
      const client = open();
      return (await client.submit(`/sign-in?next=${encodeURIComponent(to)}`, account)).location;
    };
    assert.equal(await next('/account/tokens?a=b&c=d'), '/account/tokens?a=b&c=d');
    for (const to of ['https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)'])
      assert.equal(await next(to), '/app');
  });

  it('send a guest to sign in and bring them back', async () => {
    const client = open();
    const answer = await client.get('/account/security?event=sign_in');
    const next = '%2Faccount%2Fsecurity%3Fevent%3Dsign_in';
    assert.deepEqual([answer.status, answer.location], [303, `/sign-in?next=${next}`]);
    assert.equal(
      (await client.submit(answer.location!, account)).location,
      '/account/security?event=sign_in',
    );
  });

  it('lead on from signing out when the session has ended already', async () => {
    const client = await signedIn();
    await service.post('/backend/logout', {}, { 'session-token': client.cookies.get('session')! });
    for (const [path, location] of [
      ['/sign-out', '/sign-in'],
      ['/sign-out?next=/docs', '/docs'],
      ['/sign-out?next=//evil.example', '/sign-in'],
    ]) {
      const answers = [await client.post(path, { form: 'sign-out' }), await client.get(path)];
      for (const answer of answers) assert.deepEqual([answer.status, answer.location], [303, location]);
    }
  });

  it('say no words but their own', async () => {
    const { text } = await open().get('/sign-in?done=<b>pay+here</b>&next="><script>');
    assert.doesNotMatch(text, /pay here|<script>/);
    assert.doesNotMatch(text, /role="status"/);
  });

  it('refuse wrong credentials in one way, with 401 beside what was entered, and never send a password back', async () => {
    const bodies = [];
    for (const email of [account.email, 'nobody@example.com']) {
      const client = open();
      const { status, text } = await client.submit('/sign-in', { email, password: 'wrong <secret>' });
      assert.equal(status, 401);
      assert.match(
        text,
        /<h2 id="sign-in-faults">You are not signed in<\/h2>\s*<p>E-mail or password is wrong\.<\/p>/,
      );
      assert.ok(text.includes(`value="${email}"`));
      assert.ok(!text.includes('secret'));
      assert.equal(client.cookies.has('session'), false);
      bodies.push(text.replaceAll(email, 'E').replaceAll(/name="csrf" value="[^"]*"/g, ''));
    }
    assert.equal(bodies[0], bodies[1]);
  });

  it('name every fault at its field, with a link to it', async () => {
    const { status, text } = await open().submit('/sign-in', { email: 'ada', password: '' });
    assert.equal(status, 400);
    for (const [id, message] of [
      ['sign-in-email', 'Enter an e-mail address, such as name@example.com.'],
      ['sign-in-password', 'Password is missing.'],
    ]) {
      assert.ok(text.includes(`<a href="#${id}">${message}</a>`), id);
      assert.match(
        text,
        new RegExp(`<p class="fault" id="${id}-fault">${message.replaceAll('.', '\\.')}</p>`),
      );
      assert.match(
        text,
        new RegExp(`<input[^>]*id="${id}"[^>]*aria-describedby="${id}-fault"[^>]*aria-invalid="true"`),
      );
    }
    assert.match(text, /<title>Error: Sign in – Tidemark<\/title>/);
  });

  const passwords: [what: string, password: string, status: number][] = [
    ['empty', '', 400],
    ['with NUL', 'a long\0password', 400],
    ['of 1,025 bytes', 'p'.repeat(1_025), 400],
    ['of 1,024 bytes', 'p'.repeat(1_024), 401],
    ['of 1 MB', 'p'.repeat(1_000_000), 413],
    ['that begins as the right one', `${account.password}${'x'.repeat(80)}`, 401],
  ];
  for (const [what, password, expected] of passwords)
    it(`refuse a password ${what} with ${expected}`, async () => {
      const { status, text } = await open().submit('/sign-in', { email: 'ada2@example.com', password });
      assert.equal(status, expected);
      assert.ok(!text.includes('ppppp'));
    });

  describe('refuse a form', () => {
    const sent = async (client: PageClient, headers: Record<string, string>, more = {}) => {
      const answer = await client.submit('/sign-in', { ...account, ...more }, { headers });
      assert.equal(client.cookies.has('session'), answer.status === 303);
      return answer.status;
    };

    const cases: [what: string, headers: Record<string, string>, status: number][] = [
      ['of its own origin', { origin: 'OWN', 'sec-fetch-site': 'same-origin' }, 303],
      ['without a referrer', { origin: 'null', 'sec-fetch-site': 'same-origin' }, 303],
      ['of a program', {}, 303],
      ['of a foreign origin', { origin: 'https://evil.example' }, 403],
      [
        'of a foreign origin that claims to be the same',
        { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
        403,
      ],
      ['of another port', { origin: 'http://127.0.0.1:1' }, 403],
      ['of a hidden origin', { origin: 'null' }, 403],
      ['from another site', { 'sec-fetch-site': 'cross-site' }, 403],
      ['from a sibling host', { origin: 'OWN', 'sec-fetch-site': 'same-site' }, 403],
      ['that the user did not send', { 'sec-fetch-site': 'none' }, 403],
    ];
    for (const [what, headers, status] of cases)
      it(`${status === 303 ? 'not ' : ''}${what}`, async () => {
        const own = Object.entries(headers).map(([name, value]) => [
          name,
          value === 'OWN' ? service.url : value,
        ]);
        assert.equal(await sent(open(), Object.fromEntries(own)), status);
      });

    it('without its token, with one made up, and with one of another browser', async () => {
      const other = hiddenFields((await open().get('/sign-in')).text).csrf;
      for (const csrf of ['', 'made-up', other, `${other}\0`])
        assert.equal(await sent(open(), {}, { csrf }), 403);
      const client = open();
      await client.get('/sign-in');
      assert.equal((await client.post('/sign-in', { ...account, form: 'sign-in' })).status, 403);
      const cookieless = open();
      assert.equal(
        (await cookieless.post('/sign-in', { ...account, form: 'sign-in', csrf: other })).status,
        403,
      );
    });

    it('of a guest after the browser has signed in: it is bound to the session then', async () => {
      const client = await signedIn();
      const browser = client.cookies.get('browser')!;
      const guest = open();
      guest.cookies.set('browser', browser);
      const { csrf } = hiddenFields((await guest.get('/sign-in')).text);
      assert.equal((await client.post('/sign-out', { form: 'sign-out', csrf })).status, 403);
      assert.notEqual(await service.deps.signedIn.find(client.cookies.get('session')!), null);
    });

    it('with two cookies of one name, since one may come from elsewhere', async () => {
      const client = await signedIn();
      const { csrf } = hiddenFields((await client.get('/sign-out')).text);
      const cookie = `session=${client.cookies.get('session')}; session=${'a'.repeat(43)}`;
      const { status, location } = await client.post('/sign-out', { form: 'sign-out', csrf }, { cookie });
      assert.deepEqual([status, location], [303, '/sign-in']);
      assert.notEqual(await service.deps.signedIn.find(client.cookies.get('session')!), null);
    });

    it('that is none of the page, no form, or has a field twice', async () => {
      const client = open();
      const { csrf } = hiddenFields((await client.get('/sign-in')).text);
      assert.equal((await client.post('/sign-in', { csrf, form: 'other' })).status, 400);
      assert.equal((await client.post('/sign-in', { csrf, form: '__proto__' })).status, 400);
      assert.equal((await client.post('/sign-in', `csrf=${csrf}&form=sign-in&email=a&email=b`)).status, 400);
      assert.equal((await client.post('/sign-in', '{}', { 'Content-Type': 'application/json' })).status, 415);
    });
  });

  it('leave the connector to its headers: it does not read the cookie, and no page reads the header', async () => {
    const client = await signedIn();
    const token = client.cookies.get('session')!;
    const page = await open().get('/sign-out', { 'session-token': token });
    assert.equal(page.status, 303);
    const mcp = await service.post(
      '/mcp',
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_account_access', arguments: {} } },
      { cookie: `session=${token}`, accept: 'application/json, text/event-stream' },
    );
    assert.equal(mcp.status, 401);
  });

  it('answer errors with pages, and leave those of programs as they are', async () => {
    const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    const missing = await open().get('/nothing-here', html);
    assert.equal(missing.status, 404);
    assert.match(missing.text, /<h1>There is no such page<\/h1>/);
    assert.equal(missing.headers.get('cache-control'), 'no-store');
    assert.equal(
      (await open().get('/nothing-here')).headers.get('content-type'),
      'application/json; charset=utf-8',
    );
    const api = await open().get('/backend/nothing', html);
    assert.equal(api.headers.get('content-type'), 'application/json; charset=utf-8');
    const method = await fetch(`${service.url}/sign-in`, { method: 'PUT', headers: html });
    assert.deepEqual([method.status, method.headers.get('allow')], [405, 'HEAD, GET, POST']);
    assert.match(await method.text(), /<h1>This does not work here<\/h1>/);
  });
});

describe('the pages of signing in over https', () => {
  let service: TestService;

  before(async () => {
    service = await openTestService({ computeNodes: 0, env: { PUBLIC_URL: publicUrl } });
    const passwordHash = await hashPassword(account.password);
    await service.storage.users.add({ email: account.email, plan: 'free', passwordHash });
  });
  after(() => service.close());

  it('set cookies that no other host and no plain http can replace', async () => {
    const client = new PageClient(service.url);
    const headers = { origin: publicUrl, 'sec-fetch-site': 'same-origin' };
    assert.equal((await client.submit('/sign-in', account, { headers })).status, 303);
    const [browser, session] = client.setCookies;
    assert.match(browser, /^__Host-browser=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/);
    assert.match(
      session,
      /^__Host-session=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Lax; Secure$/,
    );
  });

  it('take forms of the public address alone', async () => {
    for (const origin of [
      service.url,
      'http://tidemark.example',
      'https://tidemark.example:8443',
      'https://a.tidemark.example',
    ])
      assert.equal(
        (await new PageClient(service.url).submit('/sign-in', account, { headers: { origin } })).status,
        403,
      );
  });

  it('do not take the cookie that plain http could set', async () => {
    const client = new PageClient(service.url);
    const { id } = (await service.storage.users.byEmail(account.email))!;
    client.cookies.set('session', await service.storage.sessions.open(id, 'web'));
    assert.equal((await client.get('/sign-out')).status, 303);
  });
});

describe('the limits of signing in', () => {
  it('refuse the sixth failure of an account with a page and Retry-After, and pages beyond the points of a guest', async () => {
    const service = await openTestService({ computeNodes: 0, env: { RATE_GUEST: '9', LOGIN_FAILURES: '5' } });
    try {
      const client = new PageClient(service.url);
      const statuses = [];
      for (let n = 0; n < 6; n++)
        statuses.push((await client.submit('/sign-in', { email: account.email, password: 'wrong' })).status);
      assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429]);
      const { status, headers, text } = await client.submit('/sign-in', account);
      assert.equal(status, 429);
      assert.match(headers.get('retry-after')!, /^\d+$/);
      assert.match(text, /Too many failed sign-ins; try again in \d+ s/);
      await client.submit('/sign-in', account);
      await client.submit('/sign-in', account);
      const limited = await client.submit('/sign-in', account);
      assert.equal(limited.status, 429);
      assert.match(limited.text, /<h1>Too many requests<\/h1>/);
      const { userId } = {
        userId: (await service.storage.users.add({ email: account.email, plan: 'free', passwordHash: null }))
          .id,
      };
      assert.deepEqual(await service.storage.sessions.ofUser(userId), []);
    } finally {
      await service.close();
    }
  });

  it('charge made-up sessions before they are looked up', async () => {
    const service = await openTestService({ computeNodes: 0, env: { RATE_GUEST: '5' } });
    try {
      const statuses = [];
      for (let n = 0; n < 7; n++) {
        const client = new PageClient(service.url);
        client.cookies.set('session', `${n}`.repeat(43));
        statuses.push((await client.get('/sign-in')).status);
      }
      assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429, 429]);
    } finally {
      await service.close();
    }
  });
});
