import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { closePages, noChromium, openBrowser } from '../../../support/browser/open-browser.js';
import { openApp, settled } from '../../../support/browser/open-app.js';
import { assertShown, overflowOf, watchErrors } from '../../../support/browser/page-faults.js';
import { openTestMarket } from '../../../support/candles/market.js';
import type { TestService } from '../../../support/gateway/gateway.js';
import { unlimited } from '../../../support/gateway/unlimited.js';
import { skip } from '../../../support/harness/skip.js';
import { until } from '../../../support/process/until.js';

interface MarketAnswer {
  payload: {
    assets: { asset: string; state: string | null; price: number; change24h: number; volume24h: number }[];
  };
}

interface LevelsAnswer {
  payload: Record<'above' | 'below', { name: string; price: number }[]>;
}

/** As the browser's own formatters write figures, which pages do without. */
/** How long a page rests before it asks for what lies below. */
const restMs = 2_000;
const price = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 6 });
const largePrice = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const percent = new Intl.NumberFormat('en-US', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
  signDisplay: 'exceptZero',
});
const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 4 });

describe('the application for visitors, in a browser', function () {
  this.timeout(180_000);
  let browser: Browser | null;
  let page: Page;
  let service: TestService;

  before(async function () {
    browser = await openBrowser();
    if (!browser) return skip(this, noChromium);
    ({ service } = await openTestMarket({ env: unlimited }));
    page = await browser.newPage();
    // The node reads the candles of all pairs for its first answer.
    await fetch(`${service.url}/backend/market`);
  });
  after(async () => {
    if (!browser) return;
    await closePages(browser);
    await service.close();
  });

  const rows = () => page.getByRole('table', { name: 'Market' }).getByRole('row');

  it('shows the market as its endpoint does, found by name and state, and is accessible', async () => {
    const errors = watchErrors(page);
    const foreign: string[] = [];
    const asked: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(service.url)) foreign.push(request.url());
      else asked.push(request.url().slice(service.url.length));
    });
    await openApp(page, service, '/app');
    assert.deepEqual([await page.title(), errors], ['Market – Tidemark', []]);
    const { payload } = (await (await fetch(`${service.url}/backend/market`)).json()) as MarketAnswer;
    const cells = (title: string) => rows().locator(`td[data-title="${title}"]`).allTextContents();
    assert.deepEqual(
      [
        await rows().locator('strong').allTextContents(),
        (await cells('State')).map((text) => text.slice(1).toLowerCase()),
        await cells('Price'),
        await cells('24 h'),
        await cells('Volume'),
      ],
      [
        payload.assets.map(({ asset }) => asset),
        payload.assets.map(({ state }) => state),
        payload.assets.map((each) => (each.price < 1_000 ? price : largePrice).format(each.price)),
        payload.assets.map((each) => `${percent.format(each.change24h).replace('-', '−')}\u00a0%`),
        payload.assets.map((each) => compact.format(each.volume24h).replace(/(?=[A-Z])/, '\u00a0')),
      ],
    );
    // The document asks who uses the browser before its script can, and the script takes that answer.
    assert.equal(asked.filter((path) => path === '/backend/session').length, 1);
    await assertShown(page, 'market');
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.setViewportSize({ width: 800, height: 720 });
    const sort = page.getByRole('combobox', { name: 'Sort by' });
    await page.getByRole('combobox', { name: /^State/ }).focus();
    for (const next of [page.getByRole('radio', { name: '1d' }), sort, rows().getByRole('link').first()]) {
      await page.keyboard.press('Tab');
      assert.ok(
        await next.evaluate((element) =>
          (element as unknown as { matches: (of: string) => boolean }).matches(':focus'),
        ),
        'what has the focus is not seen',
      );
    }
    await sort.selectOption('Asset ▾');
    const assets = payload.assets.map(({ asset }) => asset).toSorted();
    assert.deepEqual(await rows().locator('strong').allTextContents(), assets.toReversed());
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.keyboard.press('/');
    await page.keyboard.type('btc');
    assert.equal(await rows().count(), 2);
    await page.keyboard.insertText('x'.repeat(1_000_000));
    await page.getByText('No asset fits.').waitFor();
    assert.ok(page.url().length < 200, 'the address is as long as what was pasted');
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Market' }).click();
    assert.equal(
      await rows().count(),
      payload.assets.length + 1,
      'the table is found in, the address is not',
    );
    assert.deepEqual([errors, foreign], [[], []]);
  });

  it('leads by keyboard from the market to an asset, whose h1 gets the focus', async () => {
    await openApp(page, service, '/app');
    await page.getByRole('link', { name: /^BTC/ }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/app/asset/BTC');
    await settled(page);
    assert.match(await page.evaluate<string>('document.activeElement.textContent'), /^BTC/);
    await page.goBack();
    await settled(page);
    assert.equal(await page.title(), 'Market – Tidemark');
  });

  it('draws an asset, whose candles the keyboard reads out and a table lists', async () => {
    const errors = watchErrors(page);
    await openApp(page, service, '/app/asset/BTC');
    const chart = page.getByRole('application', { name: /^BTC candles, 500 of 1d/ });
    await chart.focus();
    await page.keyboard.press('End');
    const said = () => page.locator('figure [role=status]').textContent();
    const newest = await said();
    assert.match(newest!, /: open .*, high .*, low .*, close /);
    await page.keyboard.press('ArrowLeft');
    assert.notEqual(await said(), newest);
    await page.getByRole('region', { name: 'Readings' }).waitFor();
    await settled(page);
    await assertShown(page, 'asset');
    await page.setViewportSize({ width: 1280, height: 720 });
    const menu = page.locator('details.menu').filter({ hasText: 'Indicators' });
    for (const close of [
      () => page.keyboard.press('Escape'),
      () => page.getByRole('heading', { level: 1 }).click(),
    ]) {
      await menu.locator('summary').click();
      await menu.getByRole('checkbox').first().waitFor();
      await close();
      await menu.getByRole('checkbox').first().waitFor({ state: 'hidden' });
    }
    await page.getByRole('button', { name: 'As a table' }).click();
    assert.ok(
      (await page
        .getByRole('table', { name: /^BTC candles/ })
        .getByRole('row')
        .count()) > 100,
    );
    assert.deepEqual(errors, []);
  });

  it('lists the levels that the endpoint gives, with the price between them', async () => {
    await openApp(page, service, '/app/asset/BTC');
    const levels = page.getByRole('region', { name: 'Levels' });
    await levels.scrollIntoViewIfNeeded();
    await levels.getByText('Price').waitFor();
    const { payload } = (await (
      await fetch(`${service.url}/backend/analysis/support-resistance`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ asset: 'BTC', interval: '1d', maxLevels: 4 }),
      })
    ).json()) as LevelsAnswer;
    const wanted = [...payload.above.toReversed(), ...payload.below];
    const shown = (await levels.locator('dd').allTextContents()).filter((text) => text.includes('%'));
    assert.ok(wanted.length > 0);
    assert.deepEqual(
      shown.map((text) => text.split(' ')[0]),
      wanted.map((each) => (each.price < 1_000 ? price : largePrice).format(each.price)),
    );
  });

  it('opens the evidence of a flip that is clicked on the chart, each time', async () => {
    await openApp(page, service, '/app/asset/BTC?interval=1h');
    const chart = page.locator('.chart');
    const { width } = (await chart.boundingBox())!;
    const open = page.locator('.flips details[open]');
    let x = width * 0.8;
    // A second click soon after a first one is half of a double click to the chart.
    const click = async () => {
      if ((await open.count()) === 0) await chart.click({ position: { x, y: 60 } });
      return (await open.count()) === 1;
    };
    await until('a flip that is open', async () => (await click()) || !(x = x > 40 ? x - 20 : width * 0.8));
    await open.locator('.evidence li').first().waitFor();
    await open.locator('summary').click();
    await open.waitFor({ state: 'detached' });
    await until('the same flip', click);
  });

  it('moves the target by a line that is dragged', async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await openApp(page, service, '/app/asset/BTC');
    const field = page.getByRole('region', { name: 'Target before stop' }).getByLabel('Target');
    const before = await field.inputValue();
    const { x, y, width, height } = (await page.locator('.chart').boundingBox())!;
    const cursor = () =>
      page.locator('.chart').evaluate((each: { style: { cursor: string } }) => each.style.cursor);
    let at = y;
    // The pointer tells where a line can be taken; the target lies above the stop.
    do await page.mouse.move(x + width / 3, (at += 6));
    while (at < y + height && (await cursor()) !== 'ns-resize');
    await page.mouse.down();
    await page.mouse.move(x + width / 3, at - 40, { steps: 4 });
    await page.mouse.up();
    await until('the target has moved', async () => Number(await field.inputValue()) > Number(before));
  });

  it('joins older candles when the reader comes to the first one, and asks again after a fault', async () => {
    let refused = 0;
    await page.route('**/core-line/chart', (route) => {
      const isOlder = route.request().postData()!.includes('"before"');
      return isOlder && refused++ === 0 ? route.fulfill({ status: 503, body: '{}' }) : route.continue();
    });
    await openApp(page, service, '/app/asset/BTC?interval=1h');
    await page.getByRole('application', { name: /^BTC candles, 500 of 1h/ }).focus();
    const more = page.getByRole('application', { name: /^BTC candles, 1\d00 of 1h/ });
    await until('older candles', async () => {
      for (const key of ['Home', 'End']) await page.keyboard.press(key);
      return (await more.count()) === 1;
    });
    await page.getByRole('button', { name: 'As a table' }).click();
    const times = await page.getByRole('table').locator('tbody td:first-child').allTextContents();
    assert.ok(times.length >= 1_000 && times.length % 500 === 0, `${times.length} candles`);
    assert.equal(new Set(times).size, times.length, 'a candle is there twice');
    assert.ok(refused > 1);
    await page.unroute('**/core-line/chart');
  });

  it('draws indicators that are chosen, and keeps them', async () => {
    const asked = page.waitForRequest('**/analysis/indicator-values');
    await openApp(page, service, '/app/asset/BTC');
    await page.locator('details.menu').filter({ hasText: 'Indicators' }).locator('summary').click();
    await page.getByRole('checkbox', { name: 'Simple Moving Average' }).check();
    assert.match((await asked).postData()!, /"indicators":\[\{"name":"sma"/);
    await page.keyboard.press('Escape');
    await page.reload();
    await page.getByText('Indicators (1)').waitFor();
    await page.evaluate('localStorage.clear()');
  });

  it('says how often the target came first, for lines that are typed', async () => {
    await openApp(page, service, '/app/asset/BTC');
    const panel = page.getByRole('region', { name: 'Target before stop' });
    const price = Number(await panel.getByLabel('Stop').inputValue());
    const before = await panel.locator('.large').textContent();
    const drawn = await page.$('.chart canvas');
    const target = Math.round(price * 2) + 0.5;
    await panel.getByLabel('Target').fill(String(target).replace('.', ','));
    await page.keyboard.press('Enter');
    assert.equal(Number(await panel.getByLabel('Target').inputValue()), target);
    await until('another share', async () => (await panel.locator('.large').textContent()) !== before);
    const isKept = await drawn!.evaluate(
      (canvas) => (canvas as unknown as { isConnected: boolean }).isConnected,
    );
    assert.ok(isKept, 'the chart was drawn anew for its lines');
    // On the wrong side of the price: it is refused, and can be typed anew.
    await panel.getByLabel('Target').fill(String(price / 2));
    await page.keyboard.press('Enter');
    await panel.getByRole('alert').waitFor();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(String(price * 3));
    await page.keyboard.press('Enter');
    await panel.locator('.large').waitFor();
    assert.equal(await panel.getByRole('alert').count(), 0);
  });

  it('says how often the target came first while the other answers of the page are still waited for', async () => {
    const asked: string[] = [];
    let answerOthers: () => void;
    const others = new Promise<void>((resolve) => (answerOthers = resolve));
    await page.route(/\/backend\/(analysis|core-line|market)/, async (route) => {
      const name = new URL(route.request().url()).pathname.split('/').at(-1)!;
      asked.push(name);
      if (!/^(trade-levels|target-probability)$/.test(name)) await others;
      await route.continue();
    });
    await page.goto(`${service.url}/app/asset/BTC`);
    await page.getByRole('region', { name: 'Target before stop' }).locator('.large').waitFor();
    const odds = asked.filter((name) => name === 'target-probability').length;
    answerOthers!();
    await settled(page);
    await page.unrouteAll({ behavior: 'wait' });
    assert.equal(odds, 1);
  });

  it('asks for what lies below the first view when the reader comes to it, and after a rest', async () => {
    await page.setViewportSize({ width: 1280, height: 720 });
    const risk = page.getByRole('region', { name: 'Risk' });
    await openApp(page, service, '/app/asset/BTC');
    const asked = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map(({ name, startTime }) => [new URL(name).pathname.split('/').at(-1), startTime] as const),
    );
    const { chart, 'technical-summary': below = Infinity } = Object.fromEntries(asked) as Record<
      string,
      number
    >;
    // By the browser's clock: on a slow machine the first view may take longer than the rest.
    assert.ok(below - chart > restMs / 2, JSON.stringify(asked));
    await page.mouse.wheel(0, 2_000);
    await risk.waitFor();
    await openApp(page, service, '/app/asset/ETH');
    await risk.waitFor();
  });

  it('shows each flip with what it rested on', async () => {
    await openApp(page, service, '/app/asset/BTC?interval=1h');
    await page.getByRole('application').focus();
    await page.keyboard.press('End');
    assert.match((await page.locator('figure [role=status]').textContent())!, /\d\d:00 UTC: open /);
    const flip = page.locator('.flips details').first();
    await flip.locator('summary').focus();
    await page.keyboard.press('Enter');
    await flip.locator('.evidence li').nth(2).waitFor();
  });

  it('is drawn before it is known whose browser it is, and says so later', async () => {
    let tell: () => void;
    const told = new Promise<void>((resolve) => (tell = resolve));
    await page.route('**/backend/session', async (route) => {
      await told;
      await route.continue();
    });
    await page.goto(`${service.url}/app`);
    await rows().nth(1).waitFor();
    assert.equal(await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).count(), 0);
    tell!();
    await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).waitFor();
    await page.unroute('**/backend/session');
  });

  it('says at a page for users what it is for, and at an unknown one that there is none', async () => {
    await openApp(page, service, '/app/backtests');
    assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'Backtests');
    assert.equal(
      await page.getByRole('main').getByRole('link', { name: 'Sign in' }).getAttribute('href'),
      '/sign-in?next=%2Fapp%2Fbacktests',
    );
    await assertShown(page, 'invitation');
    assert.equal((await fetch(`${service.url}/app/nowhere`)).status, 404);
  });

  it('keeps the rest of a page when one panel fails, and asks again', async () => {
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.route('**/backend/analysis/technical-summary', (route) => route.abort());
    await openApp(page, service, '/app/asset/BTC');
    const panel = page.getByRole('region', { name: 'Readings' });
    await panel.getByRole('alert').waitFor();
    await assertShown(page, 'one panel failed');
    await page.unroute('**/backend/analysis/technical-summary');
    await panel.getByRole('button', { name: 'Try again' }).click();
    await panel.locator('summary').first().waitFor();
  });

  it('sends a policy under which no text becomes script, and caches what its names hash', async () => {
    const shell = await fetch(`${service.url}/app`);
    assert.match(
      shell.headers.get('content-security-policy')!,
      /require-trusted-types-for 'script'; trusted-types 'none'/,
    );
    const [script] = /\/app\/assets\/chunk-\w+\.js/.exec(await shell.text())!;
    const asset = await fetch(service.url + script);
    assert.equal(asset.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    assert.equal(asset.headers.get('content-encoding'), 'gzip');
  });

  it('keeps what a visitor prefers: watched assets first, the interval, and times in UTC', async () => {
    const { payload } = (await (await fetch(`${service.url}/backend/market`)).json()) as MarketAnswer;
    const { asset } = payload.assets.at(-1)!;
    await openApp(page, service, `/app/asset/${asset}`);
    await page.getByRole('button', { name: 'Watch' }).click();
    await page.getByRole('radio', { name: '4h' }).check();
    await page.getByRole('radio', { name: 'UTC' }).check();
    await openApp(page, service, '/app');
    assert.equal(await rows().locator('strong').first().textContent(), asset);
    assert.equal(await page.getByRole('radio', { name: '4h' }).isChecked(), true);
    assert.match((await page.getByText(/^as of/).textContent())!, / UTC$/);
    await page.evaluate('localStorage.clear()');
  });

  it('says so where an address names what there is not, or is no text', async () => {
    const errors = watchErrors(page);
    await openApp(page, service, `/app/asset/${'A'.repeat(300)}/`);
    assert.equal(await overflowOf(page), 0);
    await openApp(page, service, '/app/asset/NOPE');
    await page.getByText('The market has no asset NOPE.').waitFor();
    await openApp(page, service, '/app/asset/%E0%A4%A');
    await page.getByText('The market has no asset %E0%A4%A.').waitFor();
    assert.deepEqual(
      errors.filter((each) => !each.includes('status of 4')),
      [],
    );
  });
});
