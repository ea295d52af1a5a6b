import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { docsText } from '../../../gateway/prepared/documentation.js';
import { closePages, noChromium, openBrowser, withoutScripts } from '../../support/browser/open-browser.js';
import {
  axeFaultsButColours,
  colourFaults,
  layoutFaults,
  overflowOf,
  watchErrors,
} from '../../support/browser/page-faults.js';
import { openTestMarket } from '../../support/candles/market.js';
import type { TestService } from '../../support/gateway/gateway.js';
import { testSecret } from '../../support/gateway/signed.js';
import { skip } from '../../support/harness/skip.js';

const run = promisify(execFile);

describe('the documentation', function () {
  this.timeout(120_000);
  let browser: Browser | null;
  // Chromium takes seconds to lay out a page of this length: the tests share one.
  let page: Page;
  let service: TestService;

  before(async () => {
    ({ service } = await openTestMarket({ env: { AI_API_SECRETS: testSecret } }));
    browser = await openBrowser();
    if (browser) page = await browser.newPage();
  });
  after(async () => {
    await closePages(browser);
    await service.close();
  });

  it('shows commands that work as they are pasted: with a session, with a signature, and with neither', async () => {
    const email = 'you@example.com';
    await service.post('/backend/signup', { email, password: 'your password' });
    const page = docsText({ ...service.settings, PUBLIC_URL: service.url });
    const example = (id: string) => {
      const [, code] = /<pre[^>]*><code>([^]*?)<\/code>/.exec(page.split(` id="${id}"`).at(-1)!)!;
      return code
        .replaceAll('&#39;', "'")
        .replaceAll('&quot;', '"')
        .replaceAll('&gt;', '>')
        .replaceAll('&lt;', '<')
        .replaceAll('&amp;', '&');
    };
    const signIn = page.split('id="sessions"')[1].split('<pre')[1].split('<code>')[1].split('</code>')[0];
    const token = signIn.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&');
    const paste = async (...commands: string[]) => {
      const script = commands.join('\n').replaceAll(/\bcurl /g, 'curl -s ');
      const { stdout } = await run('bash', ['-c', script], { env: { ...process.env, SECRET: testSecret } });
      return JSON.parse(stdout) as { payload?: Record<string, unknown>; symbol?: string; score?: number };
    };
    assert.equal((await paste(example('chart-post'))).payload!.asset, 'BTC');
    assert.equal((await paste(example('get-price-get'))).symbol, 'BTC/USDT');
    assert.equal(typeof (await paste(example('assess-risk-post'))).score, 'number');
    assert.ok(Array.isArray((await paste(token, example('list-sessions-get'))).payload!.sessions));
  });

  it('can be read without its script', async function () {
    if (!browser) return skip(this, noChromium);
    await withoutScripts(page, async () => {
      await page.goto(`${service.url}/docs`);
      assert.ok(await page.locator('#backtest-post').isVisible());
      assert.ok(!(await page.locator('#search').isVisible()));
    });
  });

  it('is accessible and fits wide and narrow windows, light and dark', async function () {
    if (!browser) return skip(this, noChromium);
    const errors = watchErrors(page);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto(`${service.url}/docs`);
    await page.waitForSelector('.copy');
    await page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true');
    assert.deepEqual(await axeFaultsButColours(page), []);
    assert.deepEqual(await colourFaults(page), []);
    assert.equal(await overflowOf(page), 0);
    await page.emulateMedia({ colorScheme: 'dark' });
    assert.equal(await overflowOf(page), 0);
    await page.setViewportSize({ width: 390, height: 900 });
    assert.deepEqual(await layoutFaults(page), []);
    assert.deepEqual(await colourFaults(page), []);
    assert.equal(await overflowOf(page), 0);
    await page.emulateMedia({ colorScheme: 'light' });
    assert.equal(await overflowOf(page), 0);
    assert.deepEqual(errors, []);
  });

  it('is looked at for contrast text by text where one text differs from the others', async function () {
    if (!browser) return skip(this, noChromium);
    // A short page of the same style: each look at the long one takes seconds.
    await page.goto(`${service.url}/docs/tokens`);
    assert.deepEqual(await colourFaults(page), []);
    await page.evaluate('document.querySelector("main p:nth-of-type(2)").style.color = "#eee"');
    assert.deepEqual(
      (await colourFaults(page)).map((fault) => fault.slice(0, 17)),
      ['color-contrast: <'],
    );
    await page.evaluate('document.querySelector("main p a").style.textDecoration = "none"');
    assert.match((await colourFaults(page)).join(), /link-in-text-block/);
  });

  it('finds endpoints by path and by field', async function () {
    if (!browser) return skip(this, noChromium);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(`${service.url}/docs`);
    await page.keyboard.press('/');
    await page.keyboard.type('averageentry');
    await page.getByText(/^\d endpoints$/).waitFor();
    assert.match((await page.locator('#results').textContent())!, /dca-ladder.*averageEntry/);
    await page.fill('#search', 'a');
    await page.getByText(/^\d+ endpoints, the first 30$/).waitFor();
    assert.equal(await page.locator('#results li').count(), 30);
    await page.fill('#search', 'exchanges delete');
    assert.match((await page.locator('#results li').first().textContent())!, /DELETE \/backend\/exchanges/);
    await page.locator('#results a').first().click();
    assert.match(page.url(), /#disconnect-exchange-delete$/);
    await page.fill('#search', '');
    assert.ok(await page.locator('#contents').isVisible());
  });

  it('marks the section that is read', async function () {
    if (!browser) return skip(this, noChromium);
    await page.setViewportSize({ width: 1280, height: 900 });
    for (const id of ['signing', 'backtest-post', 'envelope']) {
      await page.goto(`${service.url}/docs#${id}`);
      await page.waitForSelector(`nav a[href="#${id}"][aria-current="location"]`);
      assert.equal(await page.locator('nav [aria-current]').count(), 1);
    }
  });

  it('copies an example', async function () {
    if (!browser) return skip(this, noChromium);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const example = page.locator('#chart-post .example').first();
    await example.getByRole('button', { name: 'Copy' }).click();
    await example.getByText('Copied').waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    assert.equal(copied, await example.locator('pre').textContent());
    assert.match(copied, /^curl '/);
  });
});
