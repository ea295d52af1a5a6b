import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import {
  closePages,
  noChromium,
  openBrowser,
  renewPage,
  withoutScripts,
} from '../../../support/browser/open-browser.js';
import { assertShown, watchErrors } from '../../../support/browser/page-faults.js';
import { openMailbox, type Mailbox } from '../../../support/gateway/mailbox.js';
import { openTestService, type TestService } from '../../../support/gateway/gateway.js';
import { skip } from '../../../support/harness/skip.js';

const password = 'a long password';
let people = 0;
const newEmail = () => `ada-${++people}@example.com`;

describe('the pages that mails lead to, in a browser', function () {
  this.timeout(60_000);
  let browser: Browser | null;
  let page: Page;
  let service: TestService;
  let mailbox: Mailbox;

  before(async function () {
    browser = await openBrowser();
    if (!browser) return skip(this, noChromium);
    service = await openTestService({ computeNodes: 0 });
    mailbox = openMailbox(service);
    page = await browser.newPage();
  });
  beforeEach(() => renewPage(page));
  after(async () => {
    if (!browser) return;
    await closePages(browser);
    await mailbox.close();
    await service.close();
  });
  afterEach(() => service.deps.redis.flushdb());

  const press = (name: string) => page.getByRole('main').getByRole('button', { name }).click();
  /** Set to a folder, the pages are stored as pictures there, to be looked at. */
  const { SCREENSHOTS = '' } = process.env;

  it('are accessible, and fit in wide and narrow windows, light and dark', async () => {
    const errors = watchErrors(page);
    const email = newEmail();
    const check = (name: string) => assertShown(page, name, SCREENSHOTS && `${SCREENSHOTS}/${name}`);
    await page.goto(`${service.url}/sign-up`);
    await check('sign-up');
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill('short');
    await press('Make the account');
    await page.getByRole('alert').waitFor();
    await check('sign-up-refused');
    await page.getByLabel('Password').fill(password);
    await press('Make the account');
    await page.waitForURL('**/sign-in?done=confirm-asked');
    await check('sign-up-asked');
    await page.goto(`${service.url}/verify?token=${await mailbox.tokenTo(email)}`);
    assert.equal(new URL(page.url()).search, '');
    await check('verify');
    await page.getByLabel('Password of the account').fill(password);
    await press('Confirm my e-mail');
    await page.getByText('Your e-mail is confirmed.').waitFor();
    await check('verified');
    await page.goto(`${service.url}/forgot`);
    await page.getByLabel('E-mail').fill(email);
    await press('Send the mail');
    await page.getByRole('status').waitFor();
    await check('forgot');
    await page.goto(`${service.url}/reset?token=${await mailbox.tokenTo(email, 2)}`);
    await check('reset');
    await page.getByLabel('New password').fill('battery staple');
    await press('Set the password');
    await page.waitForURL('**/sign-in?done=password-set');
    await check('sign-in-after-reset');
    // The refused sign-up is an answer with status 400, which the browser reports.
    assert.deepEqual(
      errors.filter((text) => !text.includes('status of 400')),
      [],
    );
  });

  it('work by keyboard alone, and without scripts', () =>
    withoutScripts(page, async () => {
      const email = newEmail();
      await page.goto(`${service.url}/sign-up`);
      await page.getByLabel('E-mail').focus();
      await page.keyboard.type(email);
      await page.keyboard.press('Tab');
      await page.keyboard.type(password);
      await page.keyboard.press('Enter');
      await page.waitForURL('**/sign-in?done=confirm-asked');
      await page.goto(`${service.url}/verify?token=${await mailbox.tokenTo(email)}`);
      await page.getByLabel('Password of the account').focus();
      await page.keyboard.type(password);
      await page.keyboard.press('Enter');
      await page.waitForURL('**/verify?done=verified');
      await page.goto(`${service.url}/forgot`);
      await page.getByLabel('E-mail').focus();
      await page.keyboard.type(email);
      await page.keyboard.press('Enter');
      await page.waitForURL('**/forgot?done=reset-asked');
      await page.goto(`${service.url}/reset?token=${await mailbox.tokenTo(email, 2)}`);
      await page.getByLabel('New password').focus();
      await page.keyboard.type('battery staple');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/sign-in?done=password-set');
    }));

  it('load nothing from elsewhere, and keep the token out of the history', async () => {
    const hosts = new Set<string>();
    page.on('request', (request) => void hosts.add(new URL(request.url()).host));
    const email = newEmail();
    await page.goto(`${service.url}/sign-up`);
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill(password);
    await press('Make the account');
    await page.waitForURL('**/sign-in?done=confirm-asked');
    await page.goto(`${service.url}/verify?token=${await mailbox.tokenTo(email)}`);
    await page.goto(`${service.url}/docs`);
    await page.goBack();
    assert.equal(page.url(), `${service.url}/verify`);
    assert.deepEqual([...hosts], [new URL(service.url).host]);
  });
});
