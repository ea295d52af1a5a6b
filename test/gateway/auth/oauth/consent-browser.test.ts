import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import { hashPassword } from '../../../../storage/users/password.js';
import {
  closePages,
  noChromium,
  openBrowser,
  renewPage,
  withoutScripts,
} from '../../../support/browser/open-browser.js';
import { assertShown, axeFaults, watchErrors } from '../../../support/browser/page-faults.js';
import { openTestService, type TestService } from '../../../support/gateway/gateway.js';
import { authorizationPath } from '../../../support/oauth/authorization-request.js';
import { DocumentHost } from '../../../support/oauth/document-host.js';
import { listenLocally } from '../../../support/servers/listen-locally.js';
import { skip } from '../../../support/harness/skip.js';

const account = { email: 'ada@example.com', password: 'a long password' };

describe('consent in a browser', function () {
  this.timeout(60_000);
  let browser: Browser | null;
  let page: Page;
  let service: TestService;
  let app: Server;
  let appUrl: string;
  let maker: DocumentHost;

  before(async function () {
    browser = await openBrowser();
    if (!browser) return skip(this, noChromium);
    service = await openTestService({ computeNodes: 0 });
    const passwordHash = await hashPassword(account.password);
    await service.storage.users.add({ email: account.email, plan: 'free', passwordHash });
    const answered = '<!doctype html><html lang="en"><title>App</title><h1>Back in the app</h1></html>';
    maker = await DocumentHost.open();
    maker.answer = (response) => response.setHeader('Content-Type', 'text/html').end(answered);
    app = createServer((request, response) => {
      // Many apps send the browser on to a page of their maker.
      if (request.url!.startsWith('/onward'))
        response.writeHead(302, { Location: `${maker.url}/done` }).end();
      else response.setHeader('Content-Type', 'text/html').end(answered);
    });
    appUrl = await listenLocally(app);
    page = await browser.newPage({ ignoreHTTPSErrors: true });
    page.setDefaultTimeout(5_000);
  });
  beforeEach(() => renewPage(page));
  after(async () => {
    if (!browser) return;
    await closePages(browser);
    app.closeAllConnections();
    app.close();
    maker.close();
    await service.close();
  });

  const open = (more: Record<string, string> = {}) =>
    page.goto(service.url + authorizationPath({ redirect_uri: `${appUrl}/callback`, ...more }));

  async function signIn(password = account.password): Promise<void> {
    await page.getByLabel('E-mail').fill(account.email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Allow' }).click();
  }

  const answer = () => Object.fromEntries(new URL(page.url()).searchParams);

  it('is accessible, and fits in wide and narrow windows, light and dark', async () => {
    await open();
    const errors = watchErrors(page);
    await assertShown(page, 'consent');
    await signIn('not this one');
    await page.getByText('E-mail or password is wrong.').waitFor();
    await assertShown(page, 'consent refused');
    assert.deepEqual(
      errors.filter((each) => !each.includes('401')),
      [],
    );
    await signIn();
    await page.getByText('Back in the app').waitFor();
    assert.match(answer().code, /^oac_/);
  });

  it('leads back to the app, by 127.0.0.1 and by localhost, with code, state and issuer', async () => {
    for (const host of ['127.0.0.1', 'localhost']) {
      await open({ redirect_uri: `${appUrl.replace('127.0.0.1', host)}/callback` });
      await signIn();
      await page.getByText('Back in the app').waitFor();
      const { code, ...rest } = answer();
      assert.deepEqual(rest, { state: 'the state', iss: service.url });
      assert.ok(await service.storage.grantTokens.ofCode(code));
      await renewPage(page);
    }
  });

  it('does not stop an app that sends the browser on to a page of its maker', async () => {
    await open({ redirect_uri: `${appUrl}/onward` });
    await signIn();
    await page.waitForURL(`${maker.url}/done`);
  });

  it('tells the app that the user denies, without a sign-in', async () => {
    await open();
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.getByText('Back in the app').waitFor();
    assert.equal(answer().error, 'access_denied');
  });

  it('works by keyboard alone, and without scripts', () =>
    withoutScripts(page, async () => {
      await open();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      await page.keyboard.type(account.email);
      await page.keyboard.press('Tab');
      await page.keyboard.type(account.password);
      await page.keyboard.press('Enter');
      await page.getByText('Back in the app').waitFor();
      assert.match(answer().code, /^oac_/);
    }));

  it('asks a browser that is signed in for consent alone, or for another account', async () => {
    await page.goto(`${service.url}/sign-in?next=/account`);
    await page.getByLabel('E-mail').fill(account.email);
    await page.getByLabel('Password').fill(account.password);
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`${service.url}/account`);
    const path = authorizationPath({ redirect_uri: `${appUrl}/callback` });
    await page.goto(service.url + path);
    assert.deepEqual(await axeFaults(page), []);
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByText('Back in the app').waitFor();
    await page.goto(service.url + path);
    await page.getByRole('button', { name: 'Use another account' }).click();
    await page.getByLabel('Password').waitFor();
  });

  it('shows one of two clicks on a button the app, not an error', async () => {
    await open();
    await page.getByLabel('E-mail').fill(account.email);
    await page.getByLabel('Password').fill(account.password);
    await page.getByRole('button', { name: 'Allow' }).dblclick();
    await page.getByText('Back in the app').waitFor();
  });

  it('cannot be framed by another site, which could steal a click (o17)', async () => {
    await page.goto(appUrl);
    const framed = async (url: string) => {
      await page.evaluate(`new Promise((resolve) => {
        const frame = document.createElement('iframe');
        frame.src = ${JSON.stringify(url)};
        frame.addEventListener('load', resolve);
        document.body.append(frame);
      })`);
      return page.frames().at(-1)!.url();
    };
    assert.equal(await framed(`${appUrl}/callback`), `${appUrl}/callback`);
    const consent = service.url + authorizationPath({ redirect_uri: `${appUrl}/callback` });
    assert.equal(await framed(consent), 'chrome-error://chromewebdata/');
  });

  it('shows the page of a refused request', async () => {
    await open({ redirect_uri: 'https://evil.example/cb' });
    await page.getByRole('heading', { name: 'This request is not valid' }).waitFor();
    assert.deepEqual(await axeFaults(page), []);
  });
});
