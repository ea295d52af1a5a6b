import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { docsPage } from '../../../gateway/web/docs/page.js';
import { openApi } from '../../../gateway/openapi/document.js';
import { closePages, openBrowser } from '../../support/browser/open-browser.js';
import { axeFaults, overflowOf, views, watchErrors } from '../../support/browser/page-faults.js';
import { openTestMarket } from '../../support/candles/market.js';
import type { TestService } from '../../support/gateway/gateway.js';
import { testSecret } from '../../support/gateway/signed.js';

const run = promisify(execFile);

describe('the documentation', function () {
  this.timeout(120_000);
  let browser: Browser | null;
  let service: TestService;

  before(async () => {
    ({ service } = await openTestMarket({ env: { AI_API_SECRETS: testSecret } }));
    browser = await openBrowser();
  });
  after(async () => {
    await closePages(browser);
    await service.close();
  });

  it('shows commands that work as they are pasted: with a session, with a signature, and with neither', async () => {
    const email = 'you@example.com';
    await service.post('/backend/signup', { email, password: 'your password' });
    const page = docsPage(openApi({ PUBLIC_URL: service.url }), {
      ...service.settings,
      PUBLIC_URL: service.url,
    });
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

  const open = async (options: Parameters<Browser['newPage']>[0] = {}): Promise<Page> => {
    const page = await browser!.newPage(options);
    await page.goto(`${service.url}/docs`);
    return page;
  };

  for (const { width, colorScheme } of views)
    it(`is accessible and fits ${width} px, ${colorScheme}`, async function () {
      if (!browser) return this.skip();
      const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
      const errors = watchErrors(page);
      await page.goto(`${service.url}/docs`);
      await page.waitForSelector('.copy');
      await page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true');
      // On a page of this length axe takes seconds: it sees each width once and each scheme once.
      if ((width === 390) === (colorScheme === 'dark')) assert.deepEqual(await axeFaults(page), []);
      assert.equal(await overflowOf(page), 0);
      assert.deepEqual(errors, []);
      await page.close();
    });

  it('finds endpoints by path and by field', async function () {
    if (!browser) return this.skip();
    const page = await open();
    await page.keyboard.press('/');
    await page.keyboard.type('averageentry');
    await page.getByText(/^\d endpoints$/).waitFor();
    assert.match((await page.locator('#results').textContent())!, /dca-ladder.*averageEntry/);
    await page.fill('#search', 'exchanges delete');
    assert.match((await page.locator('#results li').first().textContent())!, /DELETE \/backend\/exchanges/);
    await page.locator('#results a').first().click();
    assert.match(page.url(), /#disconnect-exchange-delete$/);
    await page.fill('#search', '');
    assert.ok(await page.locator('#contents').isVisible());
    await page.close();
  });

  it('marks the section that is read', async function () {
    if (!browser) return this.skip();
    const page = await open({ viewport: { width: 1280, height: 900 } });
    for (const id of ['signing', 'backtest-post', 'envelope']) {
      await page.goto(`${service.url}/docs#${id}`);
      await page.waitForSelector(`nav a[href="#${id}"][aria-current="location"]`);
      assert.equal(await page.locator('nav [aria-current]').count(), 1);
    }
    await page.close();
  });

  it('copies an example', async function () {
    if (!browser) return this.skip();
    const page = await open({ permissions: ['clipboard-read', 'clipboard-write'] });
    const example = page.locator('#chart-post .example').first();
    await example.getByRole('button', { name: 'Copy' }).click();
    await example.getByText('Copied').waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    assert.equal(copied, await example.locator('pre').textContent());
    assert.match(copied, /^curl '/);
    await page.close();
  });

  it('can be read without its script', async function () {
    if (!browser) return this.skip();
    const page = await open({ javaScriptEnabled: false });
    assert.ok(await page.locator('#backtest-post').isVisible());
    assert.ok(!(await page.locator('#search').isVisible()));
    await page.close();
  });
});
