import assert from 'node:assert/strict';
import { eventWords } from '../../../../gateway/web/site/pages/account/event-words.js';
import { clientWords } from '../../../../gateway/web/site/pages/account/event-table.js';
import { sitePages } from '../../../../gateway/web/site/site-pages.js';
import { auditEvents, type AuditEvent, type AuditEventName } from '../../../../storage/users/audit-event.js';
import { hashPassword } from '../../../../storage/users/password.js';
import { PageClient } from '../../../support/browser/page-client.js';
import { openTestService, type TestService } from '../../../support/gateway/gateway.js';
import { holdPositions } from '../../../support/gateway/account-user.js';
import { newGrant } from '../../../support/oauth/new-grant.js';
import { makeStoredExecution } from '../../../support/signals/make-stored-execution.js';

const paths = sitePages.map(({ path }) => path).filter((path) => path.startsWith('/account'));

describe('the pages of the account', () => {
  let service: TestService;
  let passwordHash: string;
  let people = 0;

  before(async () => {
    service = await openTestService({ computeNodes: 0 });
    passwordHash = await hashPassword('a long password');
  });
  after(() => service.close());

  const newClient = async () => {
    const email = `pages-${++people}@example.com`;
    const { id } = await service.storage.users.add({ email, plan: 'free', passwordHash });
    const client = new PageClient(service.url);
    client.cookies.set('session', await service.storage.sessions.open(id, 'web'));
    return { id, email, client };
  };

  it('send guests to sign in and back, by GET and by POST', async () => {
    for (const path of paths) {
      const { status, location } = await new PageClient(service.url).get(`${path}?x=1`);
      assert.deepEqual([status, location], [303, `/sign-in?next=${encodeURIComponent(`${path}?x=1`)}`]);
      const posted = await new PageClient(service.url).post(path, { form: 'x' });
      assert.equal(posted.status, [303, 405].includes(posted.status) ? posted.status : 303, path);
      assert.notEqual(posted.status, 200);
    }
  });

  it('name the account of each paper balance, because two may be in USDT', async () => {
    const { id, client } = await newClient();
    await holdPositions(service, { userId: id }, { account: 'FUTURES', wallet: '500', positions: [] });
    const { text } = await client.get('/account/exchanges');
    for (const account of ['SPOT', 'FUTURES'])
      assert.match(text, new RegExp(`USDT</t[dh]>\\s*<td[^>]*>${account}<`), account);
  });

  it('are kept by no cache, and hold no session, key or digest of one', async () => {
    const { id, client } = await newClient();
    const { storage } = service;
    const expiresAt = new Date(Date.now() + 86_400_000);
    const made = await storage.personalTokens.add({
      userId: id,
      name: 'n',
      scopes: ['read:analysis'],
      expiresAt,
    });
    const [session] = await storage.sessions.ofUser(id);
    for (const path of paths) {
      const { status, headers, text } = await client.get(path);
      assert.deepEqual([status, headers.get('cache-control')], [200, 'no-store'], path);
      for (const hidden of [made.secret, session.id, client.cookies.get('session')!, passwordHash])
        assert.equal(text.includes(hidden), false, path);
    }
  });

  it('show a new token once, in the answer of its form alone', async () => {
    const { id, client } = await newClient();
    const fields = { name: 'laptop', 'scopes:read:analysis': 'on', expiresInDays: '7' };
    const made = await client.submit('/account/tokens', fields, { form: 'create-token' });
    assert.deepEqual([made.status, made.headers.get('cache-control')], [200, 'no-store']);
    assert.match(made.text, /pat_[0-9a-f]{64}/);
    assert.doesNotMatch((await client.get('/account/tokens')).text, /pat_[0-9a-f]{64}/);
    const [token] = await service.storage.personalTokens.ofUser(id);
    assert.deepEqual([token.name, token.scopes], ['laptop', ['read:analysis']]);
    assert.equal(token.expiresAt.getTime() - token.createdAt.getTime(), 7 * 86_400_000);
    const again = await client.submit('/account/tokens', fields, { form: 'create-token' });
    assert.equal(again.status, 409);
    assert.match(again.text, /You have a token named &quot;laptop&quot; already\./);
  });

  it('take no form of another site or another user, and do nothing to what belongs to others', async () => {
    const [ada, bob] = [await newClient(), await newClient()];
    const expiresAt = new Date(Date.now() + 86_400_000);
    const add = { userId: ada.id, name: 'hers', scopes: ['read:analysis' as const], expiresAt };
    const { token } = await service.storage.personalTokens.add(add);
    const foreign = { headers: { Origin: 'https://evil.example' }, form: 'revoke-token' };
    assert.equal((await ada.client.submit('/account/tokens', { id: token.id }, foreign)).status, 403);
    const own = { userId: bob.id, name: 'his', scopes: ['read:analysis' as const], expiresAt };
    await service.storage.personalTokens.add(own);
    const stolen = await bob.client.submit('/account/tokens', { id: token.id }, { form: 'revoke-token' });
    assert.equal(stolen.status, 404);
    assert.match(stolen.text, /You have no token/);
    const bobsForm = await bob.client.get('/account/tokens');
    const [, csrf] = /name="csrf"\s+value="([^"]*)"/.exec(bobsForm.text)!;
    const posted = await ada.client.post('/account/tokens', { csrf, form: 'revoke-token', id: token.id });
    assert.equal(posted.status, 403);
    assert.equal((await service.storage.personalTokens.ofUser(ada.id)).length, 1);
  });

  it('say what a new password ends and what it leaves, as it happens', async () => {
    const { id, client } = await newClient();
    const { sessions, grants, grantTokens, personalTokens } = service.storage;
    await sessions.open(id, 'ios');
    await grantTokens.exchange(await grants.consent(newGrant({ userId: id })));
    const expiresAt = new Date(Date.now() + 86_400_000);
    await personalTokens.add({ userId: id, name: 'laptop', scopes: ['read:analysis'], expiresAt });
    const { text } = await client.get('/account/security');
    assert.match(
      text,
      /other sessions end, and all connected apps are disconnected\. Personal access tokens go on/,
    );
    const fields = { currentPassword: 'a long password', newPassword: 'battery staple' };
    const { location } = await client.submit('/account/security', fields, { form: 'change-password' });
    const left = [await sessions.ofUser(id), await grants.ofUser(id), await personalTokens.ofUser(id)];
    assert.deepEqual(
      left.map(({ length }) => length),
      [1, 0, 1],
    );
    assert.match(
      (await client.get(location!)).text,
      /sessions have ended, and all connected apps are disconnected/,
    );
  });

  it('say that ending sessions leaves connected apps and access tokens', async () => {
    const { id, client } = await newClient();
    const { sessions, grants, grantTokens } = service.storage;
    await sessions.open(id, 'ios');
    await grantTokens.exchange(await grants.consent(newGrant({ userId: id })));
    assert.match(
      (await client.get('/account/sessions')).text,
      /Connected apps and access tokens go on working/,
    );
    await client.submit('/account/sessions', {}, { form: 'end-sessions' });
    assert.deepEqual([(await sessions.ofUser(id)).length, (await grants.ofUser(id)).length], [1, 1]);
    const help = await client.get('/docs/tokens');
    assert.match(help.text, /all sessions, or all others; connected apps and personal access tokens stay/);
  });

  it('show the sign-ins of an account among any number of failed ones from everywhere', async () => {
    const { id, client } = await newClient();
    const started = Date.now() - 3_600_000;
    const event = (n: number, name: AuditEventName): AuditEvent => ({
      id: n.toString(16).padStart(24, '0'),
      userId: id,
      at: new Date(started + n * 1_000),
      event: name,
      address: `192.0.2.${n}`,
      client: 'x',
      details: {},
    });
    const failed = Array.from({ length: 60 }, (_, n) => event(n + 1, 'failed_sign_in'));
    await service.storage.auditEvents.add([event(0, 'sign_in'), ...failed]);
    const shows = async (path: string) =>
      /<th scope="row">[^]*?Sign-in <[^]*?192\.0\.2\.0</.test((await client.get(path)).text);
    assert.equal(await shows('/account/security'), false);
    assert.equal(await shows('/account/security?event=sign_in'), true);
    assert.equal(await shows('/account/security?event=sign_in%27'), false);
    const { text } = await client.get('/account/security?event=failed_sign_in');
    const [, older] = /href="([^"]*)">Older events/.exec(text)!;
    assert.match(older, /^\/account\/security\?event=failed_sign_in&amp;after=/);
    assert.match((await client.get(older.replaceAll('&amp;', '&').split('#')[0])).text, /192\.0\.2\.30</);
  });

  it('escape what users and clients have named', async () => {
    const { id, client } = await newClient();
    const name = '<script>alert(1)</script>';
    const expiresAt = new Date(Date.now() + 86_400_000);
    await service.storage.personalTokens.add({ userId: id, name, scopes: ['read:analysis'], expiresAt });
    service.deps.audit.note('token_made', id, { address: '::1', client: name }, { name });
    for (const path of ['/account/tokens', '/account/security']) {
      const { text } = await client.get(path);
      assert.match(text, /&lt;script&gt;/);
      assert.doesNotMatch(text, /<script>/);
    }
  });

  it('refuse to delete the account while a signal is executed on a real exchange, and say so', async () => {
    const { id, email, client } = await newClient();
    await service.storage.executions.addAll([makeStoredExecution({ userId: id, exchange: 'BINANCE' })]);
    const sent = await client.submit(
      '/account/delete',
      { confirm: email, password: 'a long password' },
      { form: 'delete-account' },
    );
    assert.equal(sent.status, 409);
    assert.match(sent.text, /still executed on BINANCE: 1, BTC\/USDT \(signal \d+\); close them first/);
    assert.notEqual(await service.storage.users.byId(id), null);
  });
});

describe('the words of the events', () => {
  it('are there for each kind, with and without details', () => {
    for (const event of auditEvents) {
      assert.match(eventWords(event, {}), /^[A-Z][^“]+$/);
      assert.match(eventWords(event, { name: 'laptop', exchange: 'BINANCE', by: 'x', count: 2 }), /\w/);
    }
    assert.equal(eventWords('token_made', { name: 'laptop' }), 'Access token “laptop” made');
    assert.equal(
      eventWords('token_revoked', { name: 'Editor', by: 'app' }),
      'App “Editor” has given back an access token',
    );
    assert.equal(eventWords('app_disconnected', { name: 'Editor' }), 'App “Editor” disconnected');
    for (const [by, why] of [
      ['app', /by itself$/],
      ['code', /its code came a second time or did not fit/],
      ['refresh', /another may have it$/],
    ] as const)
      assert.match(eventWords('app_disconnected', { name: 'Editor', by }), why);
  });

  it('name known browsers in short, and other clients as they name themselves', () => {
    const chrome =
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
    const safari =
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';
    assert.equal(clientWords(chrome), 'Chrome 140 on Linux');
    assert.equal(clientWords(safari), 'Safari 18 on iOS');
    assert.equal(
      clientWords('Mozilla/5.0 (Windows NT 10.0; rv:147.0) Gecko/20100101 Firefox/147.0'),
      'Firefox 147 on Windows',
    );
    assert.equal(clientWords('Mozilla/5.0'), 'a browser on an unknown system');
    assert.equal(clientWords('curl/8.5.0'), 'curl/8.5.0');
  });
});
