import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { closePages, noChromium, openBrowser } from '../../../support/browser/open-browser.js';
import { openApp, settled, signInApp } from '../../../support/browser/open-app.js';
import { assertShown, watchErrors } from '../../../support/browser/page-faults.js';
import { openTestMarket } from '../../../support/candles/market.js';
import type { TestService } from '../../../support/gateway/gateway.js';
import { openMailbox, type Mailbox } from '../../../support/gateway/mailbox.js';
import { unlimited } from '../../../support/gateway/unlimited.js';
import { skip } from '../../../support/harness/skip.js';
import { until } from '../../../support/process/until.js';
import { makeStoredExecution } from '../../../support/signals/make-stored-execution.js';
import { partnerClient } from '../../../support/signals/partner-client.js';

interface StoredReport {
  payload: { totalReturn: number; tradeCount: number };
}

const password = 'correct horse battery staple';

describe('the tasks of a trader without code, in a browser', function () {
  this.timeout(300_000);
  let browser: Browser | null;
  let page: Page;
  let service: TestService;
  let token: string;
  let mailbox: Mailbox;

  before(async function () {
    browser = await openBrowser();
    if (!browser) return skip(this, noChromium);
    ({ service, token } = await openTestMarket({ env: unlimited }));
    mailbox = openMailbox(service);
    page = await browser.newPage();
  });
  beforeEach(async () => {
    await page.context().clearCookies();
    await page.setViewportSize({ width: 1280, height: 720 });
  });
  after(async () => {
    if (!browser) return;
    await closePages(browser);
    await mailbox.close();
    await service.close();
  });

  const button = (name: string) => page.getByRole('main').getByRole('button', { name, exact: true });
  const figures = () => page.getByRole('region', { name: 'Figures' });

  it('2: makes an account from an empty browser, confirms it, and is led to the market', async () => {
    await page.goto(service.url);
    await page.getByRole('link', { name: 'Make an account' }).click();
    await page.getByLabel('E-mail').fill('eva@example.com');
    await page.getByLabel('Password').fill(password);
    await button('Make the account').click();
    await page.goto(`${service.url}/verify?token=${await mailbox.tokenTo('eva@example.com')}`);
    await page.getByLabel('Password of the account').fill(password);
    await button('Confirm my e-mail').click();
    await page.getByText('Your e-mail is confirmed.').waitFor();
    await page.goto(`${service.url}/sign-in?next=/app`);
    if (page.url().includes('/sign-in')) {
      await page.getByLabel('E-mail').fill('eva@example.com');
      await page.getByLabel('Password').fill(password);
      await button('Sign in').click();
    }
    await page.waitForURL('**/app');
    await settled(page);
    await page.getByText('eva@example.com').waitFor();
  });

  it('3: runs a backtest by keyboard, whose report says what its endpoint says', async () => {
    const errors = watchErrors(page);
    await signInApp(page, service, token);
    await openApp(page, service, '/app/backtests');
    await page.getByRole('link', { name: 'Run the first one' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('combobox', { name: 'Strategy' }).selectOption('ema_cross');
    await page.getByLabel('Asset').focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/backtests\/[0-9a-f]{64}$/);
    await settled(page);
    const id = page.url().split('/').at(-1)!;
    const headers = { 'session-token': token };
    const { payload } = (await (
      await fetch(`${service.url}/backend/backtests/${id}`, { headers })
    ).json()) as StoredReport;
    const shown = await figures().textContent();
    assert.ok(shown!.includes(Math.abs(payload.totalReturn).toFixed(2)), shown!);
    assert.ok(shown!.includes(`Trades${payload.tradeCount}`), shown!);
    await page.getByRole('application', { name: /^Equity of/ }).focus();
    await page.keyboard.press('End');
    assert.match(
      (await page.locator('figure [role=status]').textContent())!,
      /strategy .* buy and hold .* drawdown/,
    );
    await assertShown(page, 'report');
    assert.deepEqual(errors, []);
  });

  it('3: runs rules of its own, written line by line, and shows faults at their place', async () => {
    await signInApp(page, service, token);
    await openApp(page, service, '/app/backtests/new');
    await page.getByRole('radio', { name: 'Own rules' }).check();
    const english = page.getByRole('region', { name: 'In plain English' });
    await english
      .getByText('Buy at the next open when rsi_14 is below 30 and close is above sma_200.')
      .waitFor();
    await page.getByRole('spinbutton', { name: 'Buy when 1: what: ' }).fill('1');
    await page.keyboard.press('Tab');
    await page.getByRole('group', { name: 'Buy when' }).getByRole('alert').waitFor();
    await assertShown(page, 'own rules with a fault');
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.getByRole('spinbutton', { name: 'Buy when 1: what: ' }).fill('7');
    await page.keyboard.press('Tab');
    await english.getByText('rsi_7 is below 30').waitFor();
    await page.getByRole('radio', { name: 'JSON' }).check();
    const json = page.getByRole('textbox', { name: 'Strategy' });
    await json.fill((await json.inputValue()).replace('rsi_7', 'rsi_9'));
    await english.getByText('rsi_9 is below 30').waitFor();
    await button('Run backtest').click();
    await figures().waitFor();
    await page.getByText('Checks passed').waitFor();
  });

  it('4: keeps a backtest under a name, and shares it with everybody until that ends', async () => {
    await signInApp(page, service, token);
    await openApp(page, service, '/app/backtests/new');
    await button('Run backtest').click();
    await page.waitForURL(/backtests\/[0-9a-f]{64}$/);
    await settled(page);
    await button('Keep').click();
    await page.getByLabel('Name').fill('My first');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Backtest: My first' }).waitFor();
    await button('Share').click();
    const link = await page.getByLabel('Link').inputValue();
    await assertShown(page, 'shared');
    const visitor = await browser!.newPage();
    await visitor.goto(link);
    await visitor.getByRole('heading', { level: 1, name: /^Backtest: trend_state on BTC/ }).waitFor();
    assert.equal(await visitor.getByText('My first').count(), 0);
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.getByRole('button', { name: 'Stop sharing' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await visitor.goto(link);
    await visitor.getByRole('alert').waitFor();
    await visitor.close();
  });

  it('7: follows a channel with limits, by keyboard alone', async () => {
    const partner = await partnerClient(service);
    await partner.create();
    await signInApp(page, service, token);
    await openApp(page, service, '/app/signals?tab=channels');
    await page.getByRole('button', { name: /^Follow / }).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Percent of balance per signal').fill('3');
    await page.getByLabel('Loss a day at most').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.match(page.url(), /tab=following$/);
    await page.getByText('3 % of the balance a signal').waitFor();
    await assertShown(page, 'following');
    await page.setViewportSize({ width: 1280, height: 720 });
    await button('Pause all').click();
    await page.getByRole('button', { name: 'Pause all now' }).click();
    await page.getByText('‖ Paused').waitFor();
  });

  it('8 and 9: shows what happened to a signal, and closes its position after asking once', async () => {
    const { userId } = (await service.deps.signedIn.find(token))!;
    const signalId = await (await partnerClient(service)).create();
    const event = {
      at: new Date(),
      type: 'entry_reached',
      cause: 'the price was in the entry zone',
      figures: {},
    };
    const execution = makeStoredExecution({
      id: `${signalId}:${userId}`,
      userId,
      signalId,
      events: [event] as never,
    });
    await service.storage.executions.addAll([execution]);
    await signInApp(page, service, token);
    await openApp(page, service, `/app/signals/${signalId}`);
    assert.match((await page.getByRole('list', { name: 'Timeline' }).textContent())!, /Entry reached/);
    await assertShown(page, 'signal');
    await page.setViewportSize({ width: 1280, height: 720 });
    await button('Close this position').click();
    await page.getByRole('button', { name: 'Close now' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const [open] = await service.storage.executions.openOf(userId, 'PAPER');
    assert.equal(open.wish, 'close');
  });

  it('5: asks the assistant, whose answer names its sources and leads to their page', async () => {
    await openApp(page, service, '/');
    await page.getByLabel('Ask about the market').fill('Where does BTC stand?');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/app/assistant?q=**');
    const sources = page.getByRole('region', { name: 'Sources' });
    await sources.waitFor();
    await assertShown(page, 'assistant');
    await page.setViewportSize({ width: 1280, height: 720 });
    await sources.getByRole('link', { name: 'BTC' }).click();
    await page.waitForURL('**/app/asset/BTC');
  });

  it('6: adds a paper holding in two clicks, and sees it in the portfolio', async () => {
    const errors = watchErrors(page);
    await signInApp(page, service, token);
    await openApp(page, service, '/app/portfolio');
    await button('Add a paper holding').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await until('the holding', async () => {
      await openApp(page, service, '/app/portfolio');
      return (await page.getByRole('table', { name: 'Positions' }).count()) === 1;
    });
    assert.match((await page.getByRole('table', { name: 'Positions' }).textContent())!, /BTC/);
    await assertShown(page, 'portfolio');
    // A server under load may answer 503, which the browser notes and the page asks again.
    assert.deepEqual(
      errors.filter((each) => !each.includes('status of 503')),
      [],
    );
  });

  it('asks again by itself where the service was busy for a moment', async () => {
    await signInApp(page, service, token);
    const body = JSON.stringify({ payload: { message: 'MongoDB does not answer; try again in a moment' } });
    await page.route('**/backend/equity?*', (route) => route.fulfill({ status: 503, body }), { times: 1 });
    await page.goto(`${service.url}/app/portfolio`);
    const panel = page.getByRole('region', { name: 'Equity' });
    await panel.getByText('from the second day on').waitFor();
    assert.equal(await panel.getByRole('alert').count(), 0);
  });
});
