import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import { hashPassword } from '../../../../storage/users/password.js';
import { closePages, openBrowser } from '../../../support/browser/open-browser.js';
import { assertShown, axeFaults, watchErrors } from '../../../support/browser/page-faults.js';
import { openTestService, type TestService } from '../../../support/gateway/gateway.js';
import { authorizationPath } from '../../../support/oauth/authorization-request.js';
import { DocumentHost } from '../../../support/oauth/document-host.js';
import { listenLocally } from '../../../support/servers/listen-locally.js';

const account = { email: 'ada@example.com', password: 'a long password' };

describe('consent in a browser', function () {
  this.timeout(60_000);
  let browser: Browser | null;
  let service: TestService;
  let app: Server;
  let appUrl: string;
  let maker: DocumentHost;

  before(async function () {
    browser = await openBrowser();
    if (!browser) return this.skip();
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
  });
  after(async () => {
    if (!browser) return;
    await closePages(browser);
    app.closeAllConnections();
    app.close();
    maker.close();
    await service.close();
  });

  async function open(
    more: Record<string, string> = {},
    options: Parameters<Browser['newPage']>[0] = {},
  ): Promise<Page> {
    const page = await browser!.newPage(options);
    page.setDefaultTimeout(5_000);
    await page.goto(service.url + authorizationPath({ redirect_uri: `${appUrl}/callback`, ...more }));
    return page;
  }

  async function signIn(page: Page, password = account.password): Promise<void> {
    await page.getByLabel('E-mail').fill(account.email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Allow' }).click();
  }

  const answerIn = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);

  it('is accessible, and fits in wide and narrow windows, light and dark', async () => {
    const page = await open();
    const errors = watchErrors(page);
    await assertShown(page, 'consent');
    await signIn(page, 'not this one');
    await page.getByText('E-mail or password is wrong.').waitFor();
    await assertShown(page, 'consent refused');
    assert.deepEqual(
      errors.filter((each) => !each.includes('401')),
      [],
    );
    await signIn(page);
    await page.getByText('Back in the app').waitFor();
    assert.match(answerIn(page).code, /^oac_/);
    await page.close();
  });

  it('leads back to the app, by 127.0.0.1 and by localhost, with code, state and issuer', async () => {
    for (const host of ['127.0.0.1', 'localhost']) {
      const page = await open({ redirect_uri: `${appUrl.replace('127.0.0.1', host)}/callback` });
      await signIn(page);
      await page.getByText('Back in the app').waitFor();
      const { code, ...rest } = answerIn(page);
      assert.deepEqual(rest, { state: 'the state', iss: service.url });
      assert.ok(await service.storage.grantTokens.ofCode(code));
      await page.close();
    }
  });

  it('does not stop an app that sends the browser on to a page of its maker', async () => {
    const page = await open({ redirect_uri: `${appUrl}/onward` }, { ignoreHTTPSErrors: true });
    await signIn(page);
    await page.waitForURL(`${maker.url}/done`);
    await page.close();
  });

  it('tells the app that the user denies, without a sign-in', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.getByText('Back in the app').waitFor();
    assert.equal(answerIn(page).error, 'access_denied');
    await page.close();
  });

  it('works by keyboard alone, and without scripts', async () => {
    const page = await open({}, { javaScriptEnabled: false });
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.type(account.email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(account.password);
    await page.keyboard.press('Enter');
    await page.getByText('Back in the app').waitFor();
    assert.match(answerIn(page).code, /^oac_/);
    await page.close();
  });

  it('asks a browser that is signed in for consent alone, or for another account', async () => {
    const page = await browser!.newPage();
    page.setDefaultTimeout(5_000);
    await page.goto(`${service.url}/sign-in`);
    await page.getByLabel('E-mail').fill(account.email);
    await page.getByLabel('Password').fill(account.password);
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/account');
    const path = authorizationPath({ redirect_uri: `${appUrl}/callback` });
    await page.goto(service.url + path);
    assert.deepEqual(await axeFaults(page), []);
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByText('Back in the app').waitFor();
    await page.goto(service.url + path);
    await page.getByRole('button', { name: 'Use another account' }).click();
    await page.getByLabel('Password').waitFor();
    await page.close();
  });

  it('shows one of two clicks on a button the app, not an error', async () => {
    const page = await open();
    await page.getByLabel('E-mail').fill(account.email);
    await page.getByLabel('Password').fill(account.password);
    await page.getByRole('button', { name: 'Allow' }).dblclick();
    await page.getByText('Back in the app').waitFor();
    await page.close();
  });

  it('cannot be framed by another site, which could steal a click (o17)', async () => {
    const page = await browser!.newPage();
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
    await page.close();
  });

  it('shows the page of a refused request', async () => {
    const page = await open({ redirect_uri: 'https://evil.example/cb' });
    await page.getByRole('heading', { name: 'This request is not valid' }).waitFor();
    assert.deepEqual(await axeFaults(page), []);
    await page.close();
  });
});
