import assert from 'node:assert/strict';
import { PageClient } from '../../../support/browser/page-client.js';
import { openMailbox, type Mailbox } from '../../../support/gateway/mailbox.js';
import { openTestService, type TestService } from '../../../support/gateway/gateway.js';

const password = 'a long password';
let people = 0;
const newEmail = () => `ada-${++people}@example.com`;

describe('the pages that mails lead to', () => {
  let service: TestService;
  let mailbox: Mailbox;

  before(async () => {
    service = await openTestService({ computeNodes: 0 });
    mailbox = openMailbox(service);
  });
  after(async () => {
    await mailbox.close();
    await service.close();
  });
  // All tests ask from one network.
  afterEach(() => service.deps.redis.flushdb());

  const open = () => new PageClient(service.url);
  const signUp = async () => {
    const [client, email] = [open(), newEmail()];
    const answer = await client.submit('/sign-up', { email, password });
    await client.submit('/sign-in', { email, password });
    return { client, email, answer };
  };
  const isVerified = async (email: string) =>
    (await service.storage.users.byEmail(email))!.emailVerifiedAt !== null;

  it('make an account, and confirm the e-mail in a browser that is signed in', async () => {
    const { client, email, answer } = await signUp();
    assert.deepEqual([answer.status, answer.location], [303, '/sign-in?done=confirm-asked']);
    assert.match((await client.get('/verify')).text, new RegExp(`sent to <strong>${email}<`));
    // Without a mail server the page says where the mail lies.
    assert.match((await client.get('/sign-in?done=confirm-asked')).text, /as files into \S*mail\./);
    assert.doesNotMatch((await client.get('/sign-in?done=signed-out')).text, /as files/);
    const token = await mailbox.tokenTo(email);
    const opened = await client.get(`/verify?token=${token}`);
    assert.deepEqual([opened.status, opened.location, opened.text], [303, '/verify', '']);
    const confirmed = await client.submit('/verify', {}, { form: 'verify' });
    assert.deepEqual([confirmed.status, confirmed.location], [303, '/verify?done=verified']);
    const shown = await client.get('/verify?done=verified');
    assert.match(shown.text, /role="status">Your e-mail is confirmed\. Other sessions/);
    assert.equal(await isVerified(email), true);
  });

  it('confirm in another browser by the password, which signs that in; and end the password without it', async () => {
    for (const [given, location] of [
      [password, '/verify?done=verified'],
      ['', '/forgot?done=verified-anew'],
    ]) {
      const { client: other, email } = await signUp();
      const reader = open();
      await reader.get(`/verify?token=${await mailbox.tokenTo(email)}`);
      const refused = await reader.submit('/verify', { password: 'not that one' }, { form: 'verify' });
      assert.equal(refused.status, 400);
      assert.match(refused.text, /password is wrong/);
      const confirmed = await reader.submit('/verify', { password: given }, { form: 'verify' });
      assert.deepEqual([confirmed.status, confirmed.location], [303, location]);
      assert.equal(await isVerified(email), true);
      const isSignedIn = async (client: PageClient) =>
        (await client.get('/verify')).text.includes('class="who"');
      assert.deepEqual([await isSignedIn(reader), await isSignedIn(other)], [given !== '', false]);
    }
  });

  it('are not used up by a program that opens links, and tell no one of the token', async () => {
    const { email } = await signUp();
    const token = await mailbox.tokenTo(email);
    for (const client of [open(), open()]) {
      const opened = await client.get(`/verify?token=${token}`);
      assert.equal(opened.headers.get('referrer-policy'), 'no-referrer');
      assert.equal(opened.headers.get('cache-control'), 'no-store');
      assert.deepEqual(client.setCookies, [
        `verify-link=${token}; Path=/; Max-Age=3600; HttpOnly; SameSite=Lax`,
      ]);
      const page = await client.get('/verify');
      assert.equal(page.status, 200);
      assert.ok(!page.text.includes(token));
    }
    assert.equal(await isVerified(email), false);
    const reader = open();
    await reader.get(`/verify?token=${token}`);
    assert.equal((await reader.submit('/verify', {}, { form: 'verify' })).status, 303);
    assert.equal(await isVerified(email), true);
    assert.equal(reader.cookies.has('verify-link'), false);
  });

  it('send another mail, whose link replaces the first', async () => {
    const { client, email } = await signUp();
    const first = await mailbox.tokenTo(email);
    const asked = await client.submit('/verify', {}, { form: 'ask' });
    assert.deepEqual([asked.status, asked.location], [303, '/verify?done=mail-sent']);
    await mailbox.tokenTo(email, 2);
    await client.get(`/verify?token=${first}`);
    const refused = await client.submit('/verify', {}, { form: 'verify' });
    assert.equal(refused.status, 400);
    assert.match(refused.text, /role="alert"[^]*The link does not work/);
  });

  it('set a new password, and end the sessions', async () => {
    const { email, client: old } = await signUp();
    const client = open();
    const asked = await client.submit('/forgot', { email });
    assert.deepEqual([asked.status, asked.location], [303, '/forgot?done=reset-asked']);
    const token = await mailbox.tokenTo(email, 2);
    await client.get(`/reset?token=${token}`);
    const short = await client.submit('/reset', { newPassword: 'short' });
    assert.equal(short.status, 400);
    assert.match(short.text, /New password: enter at least 8/);
    const set = await client.submit('/reset', { newPassword: 'battery staple' });
    assert.deepEqual([set.status, set.location], [303, '/sign-in?done=password-set']);
    assert.equal(client.cookies.has('reset-link'), false);
    assert.doesNotMatch((await old.get('/verify')).text, /class="who"/);
    const signedIn = await client.submit('/sign-in', { email, password: 'battery staple' });
    assert.equal(signedIn.status, 303);
    await client.get(`/reset?token=${token}`);
    const again = await client.submit('/reset', { newPassword: 'another one' }, { form: 'reset' });
    assert.equal(again.status, 400);
    assert.match(again.text, /The link does not work/);
  });

  it('answer the same for an e-mail without an account', async () => {
    const { email } = await signUp();
    const answers = await Promise.all(
      [email, newEmail()].map((each) => open().submit('/forgot', { email: each })),
    );
    const [known, unknown] = answers.map(({ status, location, text }) => ({ status, location, text }));
    assert.deepEqual(known, unknown);
  });

  it('take no link of another kind, and no token that can not be one', async () => {
    const client = open();
    for (const path of ['/verify', '/reset'])
      for (const token of ['', 'a%3Bb', 'x'.repeat(101), '%0d%0aX:1']) {
        const { status, location } = await client.get(`${path}?token=${token}`);
        assert.deepEqual([status, location], [303, path]);
      }
    assert.deepEqual(client.setCookies, []);
    const { email } = await signUp();
    const reader = open();
    await reader.get(`/reset?token=${await mailbox.tokenTo(email)}`);
    assert.equal((await reader.submit('/reset', { newPassword: 'battery staple' })).status, 400);
  });

  it('say without a link what to do', async () => {
    assert.match((await open().get('/verify')).text, /Open the link in the mail/);
    assert.match((await open().get('/reset')).text, /Open the link that was sent to you/);
  });

  it('refuse forms of other sites', async () => {
    const { client } = await signUp();
    for (const path of ['/sign-up', '/forgot', '/reset', '/verify']) {
      const fields = { email: newEmail(), password, newPassword: password };
      assert.equal((await client.post(path, fields, { Origin: 'https://evil.example' })).status, 403, path);
      assert.equal((await client.post(path, { ...fields, csrf: 'x' })).status, 403, path);
    }
  });

  it('make no accounts where that is switched off', async () => {
    const closed = await openTestService({ computeNodes: 0, env: { SIGN_UP: 'off' } });
    const client = new PageClient(closed.url);
    const { status, text } = await client.get('/sign-up');
    assert.equal(status, 403);
    assert.match(text, /Signing up is switched off here/);
    assert.doesNotMatch((await client.get('/sign-in')).text, /\/sign-up/);
    await closed.close();
  });

  it('go on after a sign-up to where one came from, on this service alone', async () => {
    const next = async (to: string) => {
      const fields = { email: newEmail(), password };
      return (await open().submit(`/sign-up?next=${encodeURIComponent(to)}`, fields)).location;
    };
    assert.equal(await next('/account/tokens'), '/sign-in?next=%2Faccount%2Ftokens&done=confirm-asked');
    assert.equal(await next('//evil.example'), '/sign-in?done=confirm-asked');
  });
});
