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
import { openTestService, type TestService } from '../../../support/gateway/gateway.js';
import { skip } from '../../../support/harness/skip.js';

const account = { email: 'ada@example.com', password: 'a long password' };

// What runs in the page is given as text: the project is compiled without the types of browsers.
const framedForm = `new Promise((resolve) => {
  const frame = document.createElement('iframe');
  frame.src = '/sign-in';
  frame.addEventListener('load', () => resolve(frame.contentDocument === null ? 'blocked' : 'shown'));
  document.body.append(frame);
})`;

/** Whether the form may be sent. It is not: only what listens to it is told. */
const submitted = `document.querySelector('main form').dispatchEvent(
  new Event('submit', { bubbles: true, cancelable: true }),
)`;

describe('the pages of signing in, in a browser', function () {
  this.timeout(60_000);
  let browser: Browser | null;
  let page: Page;
  let service: TestService;

  before(async function () {
    browser = await openBrowser();
    if (!browser) return skip(this, noChromium);
    service = await openTestService({ computeNodes: 0 });
    const passwordHash = await hashPassword(account.password);
    await service.storage.users.add({ email: account.email, plan: 'free', passwordHash });
    page = await browser.newPage();
  });
  beforeEach(() => renewPage(page));
  after(async () => {
    if (!browser) return;
    await closePages(browser);
    await service.close();
  });

  const open = (path: string) => page.goto(service.url + path);

  const fillIn = async ({ email, password }: typeof account) => {
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
  };

  it('are accessible, and fit in wide and narrow windows, light and dark', async () => {
    await open('/sign-in?next=/account');
    await assertShown(page, 'sign-in');
    await fillIn({ email: 'ada', password: '' });
    await page.getByRole('alert').waitFor();
    await assertShown(page, 'sign-in refused');
    await fillIn(account);
    await page.waitForURL(`${service.url}/account`);
    await page.goto(`${service.url}/sign-out`);
    await assertShown(page, 'sign-out');
  });

  it('refuse a wrong password, keep the e-mail, and put the focus on what is wrong', async () => {
    await open('/sign-in');
    await fillIn({ ...account, password: 'not this one' });
    await page.getByText('E-mail or password is wrong.').waitFor();
    assert.equal(await page.evaluate('document.activeElement.getAttribute("role")'), 'alert');
    assert.deepEqual(
      [await page.getByLabel('E-mail').inputValue(), await page.getByLabel('Password').inputValue()],
      [account.email, ''],
    );
  });

  it('lead from a fault to its field', async () => {
    await open('/sign-in');
    await fillIn({ email: 'ada', password: 'x' });
    await page.getByRole('link', { name: 'Enter an e-mail address' }).click();
    assert.equal(await page.evaluate('document.activeElement.id'), 'sign-in-email');
  });

  it('work by keyboard alone, and without scripts', () =>
    withoutScripts(page, async () => {
      await open('/sign-in?next=/account');
      await page.keyboard.press('Tab');
      assert.equal(await page.evaluate('document.activeElement.className'), 'skip');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      await page.keyboard.type(account.email);
      await page.keyboard.press('Tab');
      await page.keyboard.type(account.password);
      await page.keyboard.press('Enter');
      await page.waitForURL(`${service.url}/account`);
      await page.goto(`${service.url}/sign-in`);
      await page.getByRole('button', { name: 'Sign out' }).focus();
      await page.keyboard.press('Enter');
      await page.getByText('You are signed out.').waitFor();
    }));

  it('send a form once, however often its button is clicked', async () => {
    await open('/sign-in?next=/account');
    const errors = watchErrors(page);
    let posts = 0;
    page.on('request', (request) => (posts += request.method() === 'POST' ? 1 : 0));
    await page.getByLabel('E-mail').fill(account.email);
    await page.getByLabel('Password').fill(account.password);
    await page.getByRole('button', { name: 'Sign in' }).dblclick();
    await page.waitForURL(`${service.url}/account`);
    assert.equal(posts, 1);
    assert.deepEqual(errors, []);
  });

  it('let a form be sent again after a while, since its loading may have been stopped', async () => {
    const own = await browser!.newPage();
    await own.clock.install();
    await own.goto(`${service.url}/sign-in`);
    const isSent = () => own.evaluate<boolean>(submitted);
    assert.deepEqual([await isSent(), await isSent()], [true, false]);
    await own.clock.fastForward(10_000);
    assert.equal(await isSent(), true);
    await own.close();
  });

  it('cannot be framed', async () => {
    await open('/docs');
    assert.equal(await page.evaluate(framedForm), 'blocked');
  });
});
