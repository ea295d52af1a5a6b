import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { hashPassword } from '../../../../storage/users/password.js';
import {
  closePages,
  noChromium,
  openBrowser,
  renewPage,
  withoutScripts,
} from '../../../support/browser/open-browser.js';
import { assertShown, watchErrors } from '../../../support/browser/page-faults.js';
import { newGrant } from '../../../support/oauth/new-grant.js';
import { apiKey, KeyTrialRig, secret } from '../../../support/gateway/key-trial-rig.js';
import { skip } from '../../../support/harness/skip.js';

const password = 'a long password';
const paths = ['', '/tokens', '/apps', '/sessions', '/exchanges', '/security', '/delete'];

describe('the pages of the account, in a browser', function () {
  this.timeout(60_000);
  const rig = new KeyTrialRig();
  let browser: Browser | null;
  let page: Page;
  let errors: string[];
  let passwordHash: string;
  let people = 0;

  before(async function () {
    browser = await openBrowser();
    if (!browser) return skip(this, noChromium);
    await rig.start();
    await rig.renew();
    await rig.startTrials();
    passwordHash = await hashPassword(password);
    page = await browser.newPage();
  });
  beforeEach(async () => {
    await renewPage(page);
    errors = watchErrors(page);
  });
  after(async () => {
    if (!browser) return;
    await closePages(browser);
    await rig.closeOpened();
    await rig.close();
  });

  /** A new user, whose session the page holds as a cookie. */
  async function openAccount() {
    const { service } = rig;
    const email = `browser-${++people}@example.com`;
    const { id } = await service.storage.users.add({ email, plan: 'plus', passwordHash });
    const value = await service.storage.sessions.open(id, 'web');
    const cookie = { name: 'session', value, url: service.url, httpOnly: true, sameSite: 'Lax' as const };
    await page.context().addCookies([cookie]);
    return { id, email };
  }
  const go = (path: string) => page.goto(`${rig.service.url}/account${path}`);
  /** Clicks what asks once, and then what it asks for. */
  const confirm = async (label: RegExp | string, submit: string) => {
    await page.locator('summary').filter({ hasText: label }).first().click();
    await page.getByText(submit, { exact: true }).locator('visible=true').click();
  };
  /** Connects an app, and returns its access token. */
  const connect = async (userId: string) => {
    const { grants, grantTokens } = rig.service.storage;
    const resource = `${rig.service.url}/mcp`;
    const code = await grants.consent(newGrant({ userId, resource, clientName: 'Chart app' }));
    return (await grantTokens.exchange(code))!.access;
  };
  const useToken = async (token: string) => {
    const answer = await fetch(`${rig.service.url}/mcp`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        Authorization: `Bearer ${token}`,
      },
      body: JSON.stringify({
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: { name: 'get_account_access', arguments: {} },
      }),
    });
    await answer.text();
    return answer.status;
  };

  it('are accessible, and fit in wide and narrow windows, light and dark', async () => {
    const { id } = await openAccount();
    const { storage, deps } = rig.service;
    const name = 'aNameWithoutSpaces'.repeat(4).slice(0, 60);
    const expiresAt = new Date(Date.now() + 86_400_000);
    await storage.personalTokens.add({ userId: id, name, scopes: ['read:analysis'], expiresAt });
    await connect(id);
    await storage.sessions.open(id, 'ios');
    const source = { address: '2001:db8:aaaa:bbbb::1', client: 'x'.repeat(200) };
    for (let n = 0; n < 25; n++) deps.audit.note('failed_sign_in', id, source, { n: n % 2 });
    for (const path of paths) {
      await go(path);
      // What is behind a question is looked at, too.
      for (const summary of await page.locator('.confirm summary').all()) await summary.click();
      await assertShown(page, `/account${path}`);
    }
    assert.deepEqual(errors, []);
  });

  it('make a token, copy it, and revoke it, which ends its access', async () => {
    await openAccount();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await go('/tokens');
    await page.getByRole('textbox', { name: 'Name' }).fill('laptop');
    await page.getByLabel('Ask the assistant').uncheck();
    await page.getByLabel('Expires').selectOption('30');
    await page.getByRole('button', { name: 'Make the token' }).click();
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByText('Copied').waitFor();
    const token = await page.evaluate<string>('navigator.clipboard.readText()');
    assert.match(token, /^pat_[0-9a-f]{64}$/);
    assert.equal(page.url().includes(token), false);
    assert.equal(await useToken(token), 200);
    await page.getByRole('link', { name: 'Back to your tokens' }).click();
    assert.equal((await page.content()).includes(token), false);
    // The page with the token is in no cache: going back does not show it.
    await page.goBack().catch(() => null);
    assert.equal((await page.content()).includes(token), false);
    await go('/tokens');
    await page.getByRole('row', { name: /^laptop/ }).waitFor();
    await confirm('Revoke', 'Revoke it');
    await page.getByText('The token is revoked.').waitFor();
    assert.equal(await useToken(token), 401);
    await page.getByText('You have no tokens.').waitFor();
    assert.deepEqual(errors, []);
  });

  it('disconnect an app, which ends its access and is listed', async () => {
    const { id } = await openAccount();
    const access = await connect(id);
    assert.equal(await useToken(access), 200);
    await go('/apps');
    await page.getByRole('row', { name: /^Chart app 127\.0\.0\.1:7777/ }).waitFor();
    await confirm('Disconnect', 'Disconnect it');
    await page.getByText('The app is disconnected.').waitFor();
    await page.getByText('No app is connected.').waitFor();
    assert.equal(await useToken(access), 401);
    await go('/security');
    await page
      .getByText(/App .?Chart app.? disconnected/)
      .first()
      .waitFor();
  });

  it('keep what was chosen when a token is refused, and say what is wrong at its field', async () => {
    await openAccount();
    await go('/tokens');
    for (const scope of ['Read your', 'Read indicators', 'Ask the']) await page.getByLabel(scope).uncheck();
    await page.getByLabel('Expires').selectOption('365');
    await page.getByRole('button', { name: 'Make the token' }).click();
    await page.getByRole('link', { name: 'Choose at least one thing' }).click();
    assert.equal(await page.evaluate('document.activeElement.id'), 'create-token-scopes');
    const scopes = page.getByRole('group', { name: 'What it may do' });
    assert.equal(
      await page.locator(`#${await scopes.getAttribute('aria-describedby')}`).innerText(),
      'Choose at least one thing that the token may do.',
    );
    await page.getByRole('link', { name: 'Name is missing.' }).waitFor();
    assert.equal(await page.getByLabel('Expires').inputValue(), '365');
    assert.equal(await page.getByRole('checkbox', { checked: true }).count(), 0);
  });

  it('end one session and all others', async () => {
    const { id } = await openAccount();
    const { sessions } = rig.service.storage;
    const phone = await sessions.open(id, 'ios');
    for (let n = 0; n < 2; n++) await sessions.open(id, 'android');
    await go('/sessions');
    await page.getByText('this browser').waitFor();
    await page.getByRole('row', { name: /^iOS/ }).locator('summary').click();
    await page.getByText('End it').locator('visible=true').click();
    await page.getByText('The session has ended.').waitFor();
    assert.equal(await rig.service.deps.signedIn.find(phone), null);
    await confirm('End all other sessions', 'End all others');
    await page.getByText('All other sessions have ended.').waitFor();
    assert.equal((await sessions.ofUser(id)).length, 1);
  });

  it('connect an exchange with the permissions of its key, and remove it; add to the paper account', async () => {
    const { id } = await openAccount();
    await go('/exchanges');
    await page.getByLabel('API key').fill(apiKey);
    await page.getByLabel('Secret of the key').fill('wrong'.padEnd(64, 'x'));
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.getByText('The exchange was not connected').waitFor();
    for (const text of [apiKey, 'wrong'.padEnd(64, 'x')])
      assert.equal((await page.content()).includes(text), false);
    await page.getByLabel('API key').fill(apiKey);
    await page.getByLabel('Secret of the key').fill(secret);
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.getByText('The exchange is connected.').waitFor();
    await page.getByRole('row', { name: /^BINANCE may read, may (not )?trade, may not withdraw/ }).waitFor();
    assert.equal((await page.content()).includes(apiKey), false);
    await confirm('Remove', 'Remove it');
    await page.getByText('The exchange is removed, with its key.').waitFor();
    assert.deepEqual(await rig.service.storage.connections.ofUser(id), []);

    await page.getByLabel('Asset').fill('no such!');
    await page.getByLabel('Quantity').fill('1,5');
    await page.getByRole('button', { name: 'Add to the paper account' }).click();
    await page.getByRole('link', { name: 'Enter the symbol of an asset' }).waitFor();
    await page.getByRole('link', { name: 'Enter a decimal number' }).waitFor();
    assert.equal(await page.getByLabel('Quantity').inputValue(), '1,5');
    await page.getByLabel('Asset').fill('usdt');
    await page.getByLabel('Quantity').fill('1.5');
    await page.getByRole('button', { name: 'Add to the paper account' }).click();
    await page.getByRole('row', { name: /^USDT SPOT 10001.5 / }).waitFor();
  });

  it('change the password, and show what happened', async () => {
    const { id } = await openAccount();
    await go('/security');
    await page.getByLabel('Current password').fill('not this one');
    await page.getByLabel('New password').fill('battery staple');
    await page.getByRole('button', { name: 'Change the password' }).click();
    await page.getByRole('link', { name: 'The current password is wrong.' }).click();
    assert.equal(await page.evaluate('document.activeElement.name'), 'currentPassword');
    await page.getByLabel('Current password').fill(password);
    await page.getByLabel('New password').fill('battery staple');
    await page.getByRole('button', { name: 'Change the password' }).click();
    await page.getByText('The password is changed').waitFor();
    await page
      .getByRole('row', { name: /Wrong password when changing it 127\.0\.0\.1 Chrome \d+ on Linux/ })
      .waitFor();
    for (let n = 0; n < 30; n++)
      rig.service.deps.audit.note('sign_in', id, { address: '192.0.2.1', client: `client ${n}` });
    await page.reload();
    await page.getByText('there were 10 more: Sign-in.').waitFor();
  });

  it('show another kind of events after the same kind was asked for twice', async () => {
    await openAccount();
    await go('/security');
    const show = page.getByRole('button', { name: 'Show' });
    for (const kind of ['sign_in', 'sign_in', 'token_made']) {
      await page.getByLabel('Show').selectOption(kind);
      await show.click();
      await page.waitForURL(`**/account/security?event=${kind}#events`);
    }
    await page.getByText('There are no such events.').waitFor();
  });

  it('delete the account by keyboard alone, without scripts', () =>
    withoutScripts(page, async () => {
      const { id, email } = await openAccount();
      await go('');
      const focused = () => page.evaluate<string>('document.activeElement.textContent.trim()');
      for (let n = 0; n < 20 && (await focused()) !== 'Delete account'; n++) await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/account/delete');
      const active = () => page.evaluate<string>('document.activeElement.name ?? ""');
      for (let n = 0; n < 20 && (await active()) !== 'confirm'; n++) await page.keyboard.press('Tab');
      await page.keyboard.type('another@example.com');
      await page.keyboard.press('Tab');
      await page.keyboard.type(password);
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name: 'This is not the e-mail of the account.' }).waitFor();
      assert.notEqual(await rig.service.storage.users.byId(id), null);
      for (let n = 0; n < 20 && (await active()) !== 'confirm'; n++) await page.keyboard.press('Tab');
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.type(email);
      await page.keyboard.press('Tab');
      await page.keyboard.type(password);
      await page.keyboard.press('Enter');
      await page.getByText('The account is deleted.').waitFor();
      assert.equal(await rig.service.storage.users.byId(id), null);
      assert.deepEqual(
        (await page.context().cookies()).map(({ name }) => name).filter((name) => name === 'session'),
        [],
      );
    }));
});
