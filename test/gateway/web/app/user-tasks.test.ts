import assert from 'node:assert/strict';
import type { Browser, Locator, Page, Route } from 'playwright-core';
import { handOf, tabTo, ways } from '../../../support/browser/hand.js';
import { closePages, noChromium, openBrowser } from '../../../support/browser/open-browser.js';
import { openApp, settled, signInApp } from '../../../support/browser/open-app.js';
import { assertShown, overflowOf, watchErrors } from '../../../support/browser/page-faults.js';
import { openTestMarket } from '../../../support/candles/market.js';
import type { TestService } from '../../../support/gateway/gateway.js';
import { openMailbox, type Mailbox } from '../../../support/gateway/mailbox.js';
import { unlimited } from '../../../support/gateway/unlimited.js';
import { skip } from '../../../support/harness/skip.js';
import { until } from '../../../support/process/until.js';
import { makeStoredExecution, storedOrder } from '../../../support/signals/make-stored-execution.js';
import { partnerClient } from '../../../support/signals/partner-client.js';

interface MarketAnswer {
  payload: { assets: { price: number }[] };
}

interface SweepAnswer {
  payload: { best: { params: { fast: number; slow: number }; totalReturn: number }[] };
}

interface StoredReport {
  payload: { totalReturn: number; tradeCount: number };
}

const password = 'correct horse battery staple';
/** Of the users that the test service signs in. */
const testPassword = 'a password';

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
    // The node reads the candles of all pairs for its first answer.
    await fetch(`${service.url}/backend/market`);
  });
  beforeEach(async () => {
    await page.goto('about:blank');
    await page.context().clearCookies();
    await page.setViewportSize({ width: 1280, height: 720 });
  });
  after(async () => {
    if (!browser) return;
    await closePages(browser);
    await mailbox.close();
    await service.close();
  });

  const main = () => page.getByRole('main');
  const dialog = () => page.getByRole('dialog');
  const button = (name: string, within: Locator = main()) =>
    within.getByRole('button', { name, exact: true });
  const figures = () => page.getByRole('region', { name: 'Figures' });
  const said = async () => (await page.locator('figure [role=status]').textContent())!;
  const closed = () => dialog().waitFor({ state: 'detached' });

  for (const way of ways) describe(`by ${way}`, () => tasksBy(way));

  function tasksBy(way: (typeof ways)[number]): void {
    let hand: ReturnType<typeof handOf>;
    let user: string;
    const email = `eva-${way}@example.com`;

    before(async () => {
      hand = handOf(page, way);
      user = await service.signIn();
    });

    /** From an empty browser to the market, as a user who has an account. */
    const enter = async (token: string) => {
      const { email: own } = (await service.deps.signedIn.find(token))!;
      await page.goto(service.url);
      await hand.press(page.getByRole('link', { name: 'Sign in' }).first());
      await hand.write(page.getByLabel('E-mail'), own);
      await hand.write(page.getByLabel('Password'), testPassword);
      await hand.press(button('Sign in'));
      await page.waitForURL(({ pathname }) => pathname === '/app');
      await settled(page);
    };
    const open = async (name: string) => {
      const pages = page.getByRole('navigation', { name: 'Pages', exact: true });
      await hand.press(pages.getByRole('link', { name }));
      await page.getByRole('heading', { level: 1, name }).waitFor();
      await settled(page);
    };
    /** What both ways show alike is looked at once. */
    const lookOnce = async (name: string) => {
      if (way !== 'keyboard') return;
      await assertShown(page, name);
      await page.setViewportSize({ width: 1280, height: 720 });
    };
    /** Runs the backtest that is chosen at first. */
    const runBacktest = async (strategy?: string, interval?: string) => {
      await open('Backtests');
      await hand.press(main().getByRole('link', { name: 'New backtest' }));
      const list = page.getByRole('combobox', { name: 'Strategy' });
      await list.waitFor();
      if (strategy !== undefined) await hand.choose(list, strategy);
      if (interval !== undefined)
        await hand.choose(page.getByRole('combobox', { name: 'Interval' }), interval);
      await hand.press(button('Run backtest'));
      await page.waitForURL(/backtests\/[0-9a-f]{64}$/);
      await settled(page);
    };

    it('1: looks at the market and the chart of an asset as a visitor', async () => {
      const errors = watchErrors(page);
      await page.goto(service.url);
      await hand.press(page.getByRole('link', { name: 'See the market' }));
      await hand.press(page.getByRole('table', { name: 'Market' }).getByRole('link', { name: /^BTC/ }));
      await page.waitForURL('**/app/asset/BTC');
      await settled(page);
      if (way === 'keyboard') {
        await tabTo(page, page.getByRole('application', { name: /^BTC candles/ }));
        await page.keyboard.press('End');
        assert.match(await said(), /: open .*, close /);
      }
      await hand.press(button('As a table'));
      await page.getByRole('table', { name: /^BTC candles/ }).waitFor();
      assert.deepEqual(errors, []);
    });

    it('2: makes an account from an empty browser, confirms it, and is led to the market', async () => {
      await page.goto(service.url);
      await hand.press(page.getByRole('link', { name: 'Make an account' }));
      await hand.write(page.getByLabel('E-mail'), email);
      await hand.write(page.getByLabel('Password'), password);
      await hand.press(button('Make the account'));
      await page.waitForURL(({ pathname }) => pathname === '/sign-in');
      await page.goto(`${service.url}/verify?token=${await mailbox.tokenTo(email)}`);
      await hand.write(page.getByLabel('Password of the account'), password);
      await hand.press(button('Confirm my e-mail'));
      await page.getByText('Your e-mail is confirmed.').waitFor();
      await page.goto(`${service.url}/sign-in?next=/app`);
      if (page.url().includes('/sign-in')) {
        await hand.write(page.getByLabel('E-mail'), email);
        await hand.write(page.getByLabel('Password'), password);
        await hand.press(button('Sign in'));
      }
      await page.waitForURL(({ pathname }) => pathname === '/app');
      await settled(page);
      await page.getByText(email).waitFor();
    });

    it('3: runs a backtest, whose report says what its endpoint says', async () => {
      const errors = watchErrors(page);
      await enter(user);
      await runBacktest('EMA cross');
      const id = page.url().split('/').at(-1)!;
      const headers = { 'session-token': user };
      const { payload } = (await (
        await fetch(`${service.url}/backend/backtests/${id}`, { headers })
      ).json()) as StoredReport;
      const shown = await figures().textContent();
      assert.ok(shown!.includes(Math.abs(payload.totalReturn).toFixed(2)), shown!);
      assert.ok(shown!.includes(`Trades${payload.tradeCount}`), shown!);
      if (way === 'keyboard') {
        await tabTo(page, page.getByRole('application', { name: /^Equity of/ }));
        await page.keyboard.press('End');
        assert.match(await said(), /strategy .* buy and hold .* drawdown/);
      }
      await lookOnce('report');
      assert.deepEqual(errors, []);
    });

    it('4: keeps a backtest under a name, and shares it with everybody until that ends', async () => {
      await enter(user);
      await runBacktest('EMA cross', '1 day');
      await runBacktest();
      await hand.press(button('Keep'));
      const name = `My first ${'x'.repeat(70)}`;
      await hand.write(page.getByLabel('Name'), name);
      await hand.press(button('Save', dialog()));
      await page.getByRole('heading', { name: `Backtest: ${name}` }).waitFor();
      await closed();
      const computed: string[] = [];
      page.on('request', (request) => {
        if (request.url().endsWith('monte-carlo')) computed.push(request.url());
      });
      await hand.press(button('Show', page.getByRole('region', { name: 'Luck' })));
      await page.getByText(/runs\.$/).waitFor();
      await hand.press(button('Compare'));
      await dialog()
        .getByLabel(/ema_cross on BTC 1d/)
        .check();
      await hand.press(button('Back', dialog()));
      const compared = page.getByRole('table', { name: 'Figures of the compared' });
      assert.equal(await compared.getByRole('row').count(), 3);
      await page.getByRole('application', { name: /^Equity of/ }).focus();
      for (const key of ['End', 'ArrowLeft']) await page.keyboard.press(key);
      assert.match(await said(), /ema_cross on BTC \d/, 'another interval has no figure at this time');
      await lookOnce('compared');
      await hand.press(button('Share'));
      const link = await page.getByLabel('Link').inputValue();
      await lookOnce('shared');
      const visitor = await browser!.newPage();
      await visitor.goto(link);
      await visitor.getByRole('heading', { level: 1, name: /^Backtest: trend_state on BTC/ }).waitFor();
      assert.equal(await visitor.getByText('My first').count(), 0);
      await hand.press(button('Stop sharing', dialog()));
      await closed();
      await settled(page);
      assert.equal(computed.length, 1, 'what takes long is computed anew after each change');
      await visitor.goto(link);
      await visitor.getByRole('alert').waitFor();
      await visitor.close();
      await hand.press(button('Keep no longer'));
      await hand.press(button('Keep no longer', dialog()));
      await button('Keep').waitFor();
      await open('Backtests');
      for (const width of [1440, 1280, 1000, 390]) {
        await page.setViewportSize({ width, height: 800 });
        assert.equal(await overflowOf(page), 0, `a long name at ${width}`);
      }
    });

    it('5: asks the assistant, whose answer names its sources and leads to their page', async () => {
      await page.goto(service.url);
      await hand.write(page.getByLabel('Ask about the market'), 'Where does BTC stand?');
      await hand.press(button('Ask'));
      await page.waitForURL('**/app/assistant**');
      const sources = page.getByRole('region', { name: 'Sources' });
      await sources.waitFor();
      await lookOnce('assistant');
      assert.equal(new URL(page.url()).search, '', 'Back or a reload asks again');
      await hand.press(sources.getByRole('link', { name: 'BTC' }));
      await page.waitForURL('**/app/asset/BTC');
    });

    it('6: adds a paper holding in two clicks, and sees it in the portfolio', async () => {
      const errors = watchErrors(page);
      await enter(user);
      await open('Portfolio');
      await hand.press(button('Add a paper holding'));
      const quantity = dialog().getByLabel('Quantity');
      await hand.write(quantity, '1000000000000000000000');
      await hand.press(button('Add', dialog()));
      const refused = dialog().getByText('must be worth at most').filter({ visible: true });
      await refused.waitFor();
      assert.equal(await refused.count(), 1, 'it is told twice');
      assert.ok(await page.evaluate("document.activeElement.matches('[aria-invalid]')"));
      await hand.write(quantity, ' 0,1 ');
      await hand.press(button('Add', dialog()));
      await closed();
      assert.equal(
        await page.evaluate('document.activeElement.textContent'),
        'Add a paper holding',
        'the focus is lost after the dialog',
      );
      await until('the holding', async () => {
        await openApp(page, service, '/app/portfolio');
        return (await page.getByRole('table', { name: 'Positions' }).count()) === 1;
      });
      assert.match((await page.getByRole('table', { name: 'Positions' }).textContent())!, /BTC/);
      await lookOnce('portfolio');
      await hand.press(page.getByRole('table', { name: 'Positions' }).getByRole('link', { name: /^BTC/ }));
      await page.getByRole('heading', { level: 1, name: 'BTC position' }).waitFor();
      await settled(page);
      assert.match(
        (await page.getByRole('region', { name: 'Position', exact: true }).textContent())!,
        /Quantity 0\.1/,
      );
      await lookOnce('position');
      // A server under load may answer 503, which the browser notes and the page asks again.
      assert.deepEqual(
        errors.filter((each) => !/status of (400|503)/.test(each)),
        [],
      );
    });

    it('7: follows a channel with limits, and pauses all', async () => {
      const own = await service.signIn();
      const { userId } = (await service.deps.signedIn.find(own))!;
      const signalId = await (await partnerClient(service)).create();
      await service.storage.executions.addAll([
        makeStoredExecution({ id: `${signalId}:${userId}`, userId, signalId }),
      ]);
      await enter(own);
      const body = JSON.stringify({ payload: { exchanges: [{ exchange: 'BINANCE' }] } });
      await page.route('**/backend/exchanges', (route) => route.fulfill({ body }), { times: 1 });
      await open('Signals');
      await hand.pick(page.getByRole('radio', { name: 'Channels' }));
      await hand.press(
        main()
          .getByRole('button', { name: /^Follow / })
          .last(),
      );
      const exchange = dialog().getByLabel('Exchange');
      await exchange.selectOption('BINANCE');
      await button('Start following with real money', dialog()).waitFor();
      await exchange.selectOption('PAPER');
      const percent = page.getByLabel('Percent of balance per signal');
      await percent.fill('');
      assert.equal(await percent.inputValue(), '', 'an empty field is no zero');
      await hand.write(percent, '3');
      await hand.press(button('Start following', dialog()));
      await closed();
      assert.match(page.url(), /tab=following$/);
      await page.getByText('3 % of the balance a signal').waitFor();
      await hand.press(main().getByRole('button', { name: /^Limits of / }));
      await hand.write(percent, '4');
      await hand.press(button('Save', dialog()));
      await page.getByText('4 % of the balance a signal').waitFor();
      await closed();
      await hand.pick(page.getByRole('radio', { name: 'Channels' }));
      await main().getByRole('link', { name: 'Followed' }).waitFor();
      await hand.pick(page.getByRole('radio', { name: 'Following' }));
      await lookOnce('following');
      await hand.press(button('Pause all'));
      await hand.press(button('Pause all now', dialog()));
      await page.getByText('‖ Paused').waitFor();
      await hand.press(button('Close all'));
      await dialog().getByText('BTC long, queued, on paper').waitFor();
      await hand.press(button('Back', dialog()));
      await hand.press(main().getByRole('button', { name: /^Resume / }));
      await hand.press(button('Resume now', dialog()));
      await closed();
      await page.getByText('▶ Places orders').waitFor();
      await hand.press(main().getByRole('button', { name: /^Stop following / }));
      assert.deepEqual(await dialog().getByRole('button').allTextContents(), ['Back', 'Stop following now']);
      await hand.press(button('Stop following now', dialog()));
      await closed();
      await page.getByText('No channel is followed.').waitFor();
    });

    it('8 and 9: shows what happened to a signal, and closes its position after asking once', async () => {
      const { userId } = (await service.deps.signedIn.find(user))!;
      const signalId = await (await partnerClient(service)).create();
      const cause = 'the price was in the entry zone';
      const figures = { price: '29183.42', leg: 'entry-1' };
      const event = { at: new Date(), type: 'entry_reached', cause, figures };
      const execution = makeStoredExecution({
        ...{ id: `${signalId}:${userId}`, userId, signalId },
        events: [event] as never,
      });
      await service.storage.executions.addAll([execution]);
      await enter(user);
      await open('Signals');
      await hand.press(page.getByRole('table', { name: 'Signals' }).getByRole('link', { name: /^BTC long/ }));
      const timeline = page.getByRole('list', { name: 'Timeline' });
      await timeline.waitFor();
      assert.match((await timeline.textContent())!, /Entry reached at 29,183\.42, leg entry-1: the price/);
      await settled(page);
      await lookOnce('signal');
      await hand.press(button('Close this position'));
      await hand.press(button('Close now', dialog()));
      await closed();
      const [held] = await service.storage.executions.openOf(userId, 'PAPER');
      assert.equal(held.wish, 'close');
    });

    it('P: a partner sends a signal that is checked while it is typed, and follows it up', async () => {
      const errors = watchErrors(page);
      const { userId } = (await service.deps.signedIn.find(user))!;
      const { name, id: partnerId } = await partnerClient(service);
      await service.storage.partners.addMember(name, userId);
      await enter(user);
      await open('Partner');
      await hand.press(button('Add a channel'));
      await hand.write(page.getByLabel('Name'), 'alpha');
      await hand.press(button('Save', dialog()));
      await closed();
      const form = page.getByRole('region', { name: 'New signal' });
      const field = (label: string) => form.getByLabel(label, { exact: true });
      await form.getByText('Still missing: Buy from, Buy to, Target 1.').waitFor();
      const { payload } = (await (await fetch(`${service.url}/backend/market`)).json()) as MarketAnswer;
      const times = (factor: number) => (payload.assets[0].price * factor).toFixed(2);
      await hand.write(field('Buy from'), times(0.97));
      await hand.write(field('Buy to'), times(1));
      await hand.write(field('Target 1'), times(1.1));
      await hand.write(field('Stop loss'), times(0.98));
      await form.getByText(/Stop loss must be below/).waitFor();
      assert.equal(await field('Stop loss').getAttribute('aria-invalid'), 'true');
      assert.equal(await button('Send signal', form).isDisabled(), true);
      await page.getByRole('application', { name: /^BTC candles with the entry/ }).waitFor();
      await lookOnce('partner, a fault');
      await hand.write(field('Stop loss'), times(0.9));
      await form.getByText(/^Risk 10\.0.%, reward 10\.0.% \(1\.00 R\)/).waitFor();
      await hand.press(button('Send signal', form));
      await hand.press(button('Send now', dialog()));
      await closed();
      const sent = page.getByRole('region', { name: 'Signals' });
      await hand.press(button('Take profit: BTC long', sent));
      await hand.write(page.getByLabel('Percent of the position'), '100');
      await hand.press(button('Send now', dialog()));
      await closed();
      await hand.press(sent.getByLabel('More: BTC long'));
      await hand.press(button('Cancel: BTC long', sent));
      assert.deepEqual(await dialog().getByRole('button').allTextContents(), [
        'Back',
        'Cancel the signal now',
      ]);
      await hand.press(button('Back', dialog()));
      const [signal] = (
        await service.storage.signals.list({ partnerId, status: 'active', after: undefined, limit: 2 })
      ).signals;
      assert.deepEqual([signal.terms.exchange, signal.terms.targets], ['BINANCE', [times(1.1)]]);
      assert.equal(signal.commands.length, 1);
      await hand.press(button('New key'));
      await button('Make it', dialog()).click({ clickCount: 2 });
      await page.getByText('The secret is shown this once').waitFor();
      const keys = page.getByRole('table', { name: 'Keys' }).getByRole('button', { name: /^Revoke/ });
      await until('one key', async () => (await keys.count()) === 1);
      await lookOnce('partner');
      await page.reload();
      await page.getByRole('table', { name: 'Keys' }).waitFor();
      assert.equal(await page.getByText('The secret is shown this once').count(), 0);
      assert.deepEqual(errors, []);
    });
  }

  it('lets no signal be sent before its channels are known, and takes no more of a price than it reads', async () => {
    const own = await service.signIn();
    const { userId } = (await service.deps.signedIn.find(own))!;
    await service.storage.partners.addMember((await partnerClient(service)).name, userId);
    for (const name of ['alpha', 'beta'])
      await fetch(`${service.url}/backend/partner/channels`, {
        method: 'POST',
        headers: { 'session-token': own, 'content-type': 'application/json' },
        body: JSON.stringify({ name, description: null }),
      });
    await signInApp(page, service, own);
    const broken = JSON.stringify({ payload: { message: 'it is broken' } });
    await page.route('**/backend/partner', (route) => route.fulfill({ status: 500, body: broken }), {
      times: 1,
    });
    await openApp(page, service, '/app/partner');
    const form = page.getByRole('region', { name: 'New signal' });
    const field = (label: string) => form.getByLabel(label, { exact: true });
    assert.equal(await button('Send signal').count(), 0, 'a signal without its channel could be sent');
    await button('Try again', form).click();
    await field('Buy from').focus();
    await page.keyboard.insertText('9'.repeat(1_000_000));
    await form.getByText(/^✗ Buy from /).waitFor();
    assert.equal((await field('Buy from').inputValue()).length, 40);
    const asked = page.waitForRequest((request) => request.postData()?.includes('"1234.5"') ?? false);
    await field('Buy from').fill(' 1,234.5 ');
    await asked;
    await page.reload();
    await settled(page);
    assert.equal(await field('Buy from').inputValue(), ' 1,234.5 ', 'what was typed is lost');
    await field('Channel').selectOption('beta');
    assert.equal(await field('Channel').locator('option:checked').textContent(), 'beta');
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
    // An emptied number is none: the one before stays.
    for (const [name, before] of [
      ['Buy when 1: what: ', '7'],
      ['Buy when 1: than: number', '30'],
      ['Stop loss', '3'],
    ]) {
      const field = page.getByRole('spinbutton', { name });
      await field.fill('');
      await page.keyboard.press('Tab');
      assert.equal(await field.inputValue(), before);
    }
    await page.getByRole('spinbutton', { name: 'Buy when 1: than: number' }).fill('25');
    await page.keyboard.press('Tab');
    await english.getByText('rsi_7 is below 25').waitFor();
    await page.getByRole('radio', { name: 'JSON' }).check();
    const json = page.getByRole('textbox', { name: 'Strategy' });
    const typed = await json.inputValue();
    for (const odd of ['{ "long": { "entry": { "all": [null] } } }', 'null']) await json.fill(odd);
    await json.fill(typed.replace('rsi_7', 'rsi_9'));
    await english.getByText('rsi_9 is below 25').waitFor();
    for (const name of ['Built-in strategy', 'Own rules']) await page.getByRole('radio', { name }).check();
    await english.getByText('rsi_9 is below 25').waitFor();
    await button('Save rules').click();
    await dialog().getByLabel('Name of these rules').fill('mine');
    await page.keyboard.press('Enter');
    await english.getByText('Saved', { exact: true }).waitFor();
    assert.equal(await figures().count(), 0, 'Enter in the name ran a backtest');
    await button('Run backtest').click();
    await figures().waitFor();
    await page.getByText('Checks passed').waitFor();
    const shown = await figures().textContent();
    await openApp(page, service, '/app/backtests');
    const stored = page.getByRole('table', { name: 'Backtests of own rules' });
    await stored.getByRole('link', { name: 'own rules on BTC' }).click();
    await page.waitForURL(/backtests\/rules\/[0-9a-f]{64}$/);
    await page.getByRole('region', { name: 'Rules' }).getByText('rsi_9 is below 25').waitFor();
    assert.equal(await figures().textContent(), shown);
    assert.doesNotMatch((await main().textContent())!, /\dT\d\d:/, 'a time as programs write it');
    await assertShown(page, 'stored rules');
  });

  it('3: tries ranges of parameters as the endpoint does, of which one can be taken', async () => {
    await signInApp(page, service, token);
    await openApp(page, service, '/app/backtests/new');
    await page.getByRole('combobox', { name: 'Strategy' }).selectOption('EMA cross');
    const ranges = page.getByRole('region', { name: 'Ranges' });
    await ranges.getByLabel('Period of the fast average in candles: values').fill('10, 12 14');
    await ranges.getByLabel('Period of the slow average in candles: values').fill('50');
    await button('Try all', ranges).click();
    const rows = ranges.getByRole('table', { name: 'Best combinations' }).getByRole('row');
    await rows.first().waitFor();
    const response = await fetch(`${service.url}/backend/analysis/sweep`, {
      method: 'POST',
      headers: { 'session-token': token, 'content-type': 'application/json' },
      body: JSON.stringify({
        asset: 'BTC',
        ...{ interval: '1h', period: '1y', strategy: 'ema_cross' },
        grid: { fast: [10, 12, 14], slow: [50] },
      }),
    });
    const { payload } = (await response.json()) as SweepAnswer;
    assert.equal(await rows.count(), payload.best.length + 1);
    const [{ params, totalReturn }] = payload.best;
    const shown = (await rows.nth(1).textContent())!;
    assert.ok(
      shown.startsWith(`${params.fast}${params.slow}`) && shown.includes(Math.abs(totalReturn).toFixed(2)),
      shown,
    );
    await assertShown(page, 'ranges');
    await page.setViewportSize({ width: 1280, height: 720 });
    await button(`Use ${params.fast}, ${params.slow}`, ranges).click();
    const field = page.getByRole('spinbutton', {
      name: 'Period of the fast average in candles',
      exact: true,
    });
    assert.equal(await field.inputValue(), String(params.fast));
  });

  it('3: tries ranges of rules with parameters, and how they do on unseen time', async () => {
    await signInApp(page, service, token);
    await openApp(page, service, '/app/backtests/new?rules=');
    await page.getByRole('radio', { name: 'JSON' }).check();
    const rules = {
      params: { low: { default: 30, min: 10, max: 40, step: 5 } },
      long: {
        entry: { left: 'rsi_14', op: '<', right: '{low}' },
        exit: { left: 'rsi_14', op: '>', right: 55 },
      },
    };
    await page.getByRole('textbox', { name: 'Strategy' }).fill(JSON.stringify(rules));
    const ranges = page.getByRole('region', { name: 'Ranges' });
    await button('Try all', ranges).click();
    await button('Use 20', ranges).click();
    assert.match(await page.getByRole('textbox', { name: 'Strategy' }).inputValue(), /"default": 20/);
    await button('Run backtest').click();
    await figures().waitFor();
    await openApp(page, service, '/app/backtests');
    const stored = page.getByRole('table', { name: 'Backtests of own rules' });
    await stored.getByRole('link', { name: 'own rules on BTC' }).first().click();
    await button('Show', page.getByRole('region', { name: 'Unseen time' })).click();
    await page.getByRole('table', { name: 'Tries on unseen time' }).waitFor();
  });

  it('lists the orders of all signals, each with its steps', async () => {
    const own = await service.signIn();
    const { userId } = (await service.deps.signedIn.find(own))!;
    const signalId = await (await partnerClient(service)).create();
    const more = { id: `${signalId}:${userId}`, userId, signalId, orders: [storedOrder] };
    await service.storage.executions.addAll([makeStoredExecution(more)]);
    await signInApp(page, service, own);
    await openApp(page, service, '/app/signals');
    await page
      .getByRole('table', { name: 'Orders' })
      .getByRole('button', { name: 'sent, steps of entry-1' })
      .click();
    await dialog().getByText('it was sent to PAPER').waitFor();
    await assertShown(page, 'orders');
  });

  it('lists a hundred signals at once, and older ones after them', async () => {
    const own = await service.signIn();
    const { userId } = (await service.deps.signedIn.find(own))!;
    for (const asset of ['BTC', 'ETH']) {
      const signalId = await (await partnerClient(service)).create({ coin: asset });
      const execution = makeStoredExecution({ id: `${signalId}:${userId}`, userId, signalId });
      await service.storage.executions.addAll([execution]);
    }
    await signInApp(page, service, own);
    await page.route('**/backend/signals?limit=100*', (route) =>
      route.continue({ url: route.request().url().replace('limit=100', 'limit=1') }),
    );
    await openApp(page, service, '/app/signals');
    const rows = page.getByRole('table', { name: 'Signals' }).getByRole('row');
    const newest = await rows.last().textContent();
    await button('Older').click();
    await until('older rows', async () => (await rows.last().textContent()) !== newest);
    const isNewest = async () => (await rows.last().textContent()) === newest;
    await page.goBack();
    await until('the newest rows', isNewest);
    await page.goForward();
    await button('Newest').click();
    await until('the newest rows', isNewest);
    await page.unrouteAll();
    await openApp(page, service, '/app/signals?cursor=gone');
    await button('Newest').click();
    await rows.last().waitFor();
  });

  it('shows how far a backtest is and keeps the focus; once it is cancelled, another can be run', async () => {
    await signInApp(page, service, token);
    await page.route('**/backend/core-line/backtest', () => undefined, { times: 1 });
    await openApp(page, service, '/app/backtests/new');
    await button('Run backtest').press('Enter');
    await page.getByRole('progressbar').waitFor();
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Run backtest');
    await button('Cancel').click();
    await page.getByRole('progressbar').waitFor({ state: 'detached' });
    await button('Run backtest').click();
    await page.waitForURL(/backtests\/[0-9a-f]{64}$/);
  });

  it('keeps an answer of the assistant where it was asked for, and a question that failed', async () => {
    await signInApp(page, service, await service.signIn());
    await openApp(page, service, '/app/assistant');
    const question = page.getByLabel('Your question');
    const ask = async (text: string) => {
      await question.fill(text);
      await button('Ask').click();
    };
    await ask('Where does BTC stand?');
    await page.getByRole('region', { name: 'Sources' }).waitFor();
    await page.route('**/assistant/chat', (route) => route.fulfill({ status: 500, body: '{}' }), {
      times: 1,
    });
    await ask('And ETH?');
    await page.getByText('The service answered with status 500').waitFor();
    assert.equal(await question.inputValue(), 'And ETH?');
    let answer: () => void;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/assistant/chat', async (route) => {
      await answered;
      await route.continue();
    });
    await button('New conversation').click();
    await ask('Where does SOL stand?');
    await button('Where does BTC stand?', page.getByRole('region', { name: 'Conversations' })).click();
    const questions = main().locator('article h2');
    await until('the earlier conversation', async () =>
      (await questions.allTextContents()).includes('Where does BTC stand?'),
    );
    answer!();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    assert.deepEqual(await questions.allTextContents(), ['Where does BTC stand?']);
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

  it('changes preferences of the account alone that it was told to, whether it could read them or not', async () => {
    const own = await service.signIn();
    const headers = { 'session-token': own, 'content-type': 'application/json' };
    const url = `${service.url}/backend/preferences`;
    const kept = { watchlist: ['ETH', 'SOL'], time: 'UTC', interval: '1d', indicators: [] };
    await fetch(url, { method: 'PUT', headers, body: JSON.stringify(kept) });
    await signInApp(page, service, own);
    await page.route('**/backend/preferences', (route) => route.abort(), { times: 1 });
    await openApp(page, service, '/app/asset/BTC');
    await button('☆ Watch').click();
    await page.getByRole('radio', { name: '4h' }).check();
    const stored = async () =>
      ((await (await fetch(url, { headers })).json()) as { payload: typeof kept }).payload;
    await until('the interval is kept', async () => (await stored()).interval === '4h');
    assert.deepEqual(await stored(), { ...kept, watchlist: ['ETH', 'SOL', 'BTC'], interval: '4h' });
  });

  const live = () => page.getByRole('banner').getByRole('status');
  const lookAgain = () => page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");

  it('keeps what was typed when a session ends, and goes on once the user is signed in again', async () => {
    const own = await service.signIn();
    const { userId } = (await service.deps.signedIn.find(own))!;
    await signInApp(page, service, own);
    await openApp(page, service, '/app/portfolio');
    await live().getByText('Live').waitFor();
    await button('Add a paper holding').click();
    const quantity = dialog().getByLabel('Quantity');
    await quantity.fill('0.7');
    await service.storage.sessions.endAll(userId);
    await live().getByText('Offline').waitFor();
    // Not by the mouse: a panel that has asked again by itself may have laid over it already that the session has ended.
    await button('Add', dialog()).dispatchEvent('click');
    const ended = page.getByRole('dialog', { name: 'Your session has ended' });
    await ended.waitFor();
    await signInApp(page, service, await service.storage.sessions.open(userId, 'web'));
    await lookAgain();
    await ended.waitFor({ state: 'detached' });
    assert.equal(await quantity.inputValue(), '0.7');
    await live().getByText('Live').waitFor();
    await button('Add', dialog()).click();
    await closed();
  });

  it('sends again what was refused for the session before, whose answer comes once the user is signed in again', async () => {
    const own = await service.signIn();
    const { userId } = (await service.deps.signedIn.find(own))!;
    await signInApp(page, service, own);
    await openApp(page, service, '/app/portfolio');
    await live().getByText('Live').waitFor();
    await button('Add a paper holding').click();
    let letGo!: () => void;
    const again = new Promise<void>((resolve) => (letGo = resolve));
    let [sent, isRefused] = [0, false];
    const hold = async (route: Route) => {
      if (route.request().method() !== 'POST' || ++sent > 1) return route.continue();
      const response = await route.fetch();
      isRefused = response.status() === 401;
      await again;
      await route.fulfill({ response });
    };
    await page.route('**/backend/exchanges', hold);
    await service.storage.sessions.endAll(userId);
    await button('Add', dialog()).click();
    await until('it is refused', () => Promise.resolve(isRefused));
    await lookAgain();
    const ended = page.getByRole('dialog', { name: 'Your session has ended' });
    await ended.waitFor();
    await signInApp(page, service, await service.storage.sessions.open(userId, 'web'));
    await lookAgain();
    await ended.waitFor({ state: 'detached' });
    letGo();
    await closed();
    assert.equal(sent, 2);
    await page.unroute('**/backend/exchanges');
  });

  it('goes on in a session that another tab has begun, and begins anew for another user', async () => {
    const own = await service.signIn();
    const { userId } = (await service.deps.signedIn.find(own))!;
    await signInApp(page, service, own);
    await openApp(page, service, '/app/portfolio');
    await signInApp(page, service, await service.storage.sessions.open(userId, 'web'));
    await button('Add a paper holding').click();
    await button('Add', dialog()).click();
    await closed();
    const other = await service.signIn();
    const { email: name } = (await service.deps.signedIn.find(other))!;
    await signInApp(page, service, other);
    await button('Add a paper holding').click();
    // A panel that asks again by itself may let the page begin anew before it is pressed.
    const press = button('Add', dialog()).click({ timeout: 3_000 });
    await press.catch(() => undefined);
    await page.getByText(name).waitFor();
    await settled(page);
    await page.getByText('Nothing is held yet. “Add a paper holding”').waitFor();
  });

  it('asks again who uses the browser, and shows that an answer is not of the service', async () => {
    await signInApp(page, service, token);
    await page.route('**/backend/session', (route) => route.fulfill({ status: 503 }), { times: 1 });
    const html = { contentType: 'text/html', body: '<h1>Sign in to this network</h1>' };
    await page.route('**/backend/balances', (route) => route.fulfill(html));
    await page.goto(`${service.url}/app/portfolio`);
    const panel = page.getByRole('region', { name: 'Worth by asset' });
    await panel.getByText('The answer is not of this service').waitFor();
    const again = page.waitForRequest('**/backend/balances');
    await button('Try again', panel).click();
    await again;
    // The page that is left may ask by itself once more.
    await page.goto('about:blank');
    await page.unroute('**/backend/balances');
    const wrong = { contentType: 'application/json', body: JSON.stringify({ payload: {} }) };
    await page.route('**/backend/balances', (route) => route.fulfill(wrong), { times: 1 });
    await page.goto(`${service.url}/app/portfolio`);
    await page.getByText('This page could not be shown.').waitFor();
    await button('Try again').click();
    await panel.getByText('USDT').first().waitFor();
  });
});
