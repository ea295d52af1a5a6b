import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { closePages, noChromium, openBrowser, withoutScripts } from '../../support/browser/open-browser.js';
import {
  axeFaults,
  colourRules,
  layoutRules,
  overflowOf,
  watchErrors,
} from '../../support/browser/page-faults.js';
import { docsParts } from '../../../gateway/web/docs/docs-parts.js';
import { requestsHelp } from '../../../gateway/web/docs/help/requests-help.js';
import { openTestMarket } from '../../support/candles/market.js';
import type { TestService } from '../../support/gateway/gateway.js';
import { testSecret } from '../../support/gateway/signed.js';
import { skip } from '../../support/harness/skip.js';

const execute = promisify(execFile);
const plain = (text: string) =>
  text
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&gt;', '>')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&');

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

  it('shows programs in three languages that work as they are pasted: with a session, with a signature, and with neither', async () => {
    const email = 'you@example.com';
    await service.post('/backend/signup', { email, password: 'your password' });
    const { base, subjects } = docsParts({ ...service.settings, PUBLIC_URL: service.url });
    const sections = new Map(
      subjects.flatMap(({ endpoints }) => endpoints.map(({ id, section }) => [id, section])),
    );
    const example = (id: string, language: string) =>
      plain(sections.get(id)!.split(`data-language="${language}"`)[1].split('<code>')[1].split('</code>')[0]);
    const [signIn] = /TOKEN=\$[^]*?\/'\)/.exec(
      plain(requestsHelp(service.settings, base).sections[1].body.text),
    )!;
    type Asked = { payload?: Record<string, unknown>; symbol?: string; score?: number };
    const ask = async (id: string): Promise<Asked[]> => {
      const run = (program: string, args: string[]) =>
        execute(program, args, { env: { ...process.env, SECRET: testSecret, TOKEN: token } });
      const command = example(id, 'curl').replaceAll(/\bcurl /g, 'curl -s ');
      const answers = await Promise.all([
        run('bash', ['-c', command]),
        run(process.execPath, ['--input-type=module', '-e', example(id, 'TypeScript')]),
        run('python3', ['-c', example(id, 'Python')]),
      ]);
      return answers.map(({ stdout }) => JSON.parse(stdout) as Asked);
    };
    const { stdout } = await execute('bash', ['-c', `${signIn}; echo $TOKEN`]);
    const token = stdout.trim();
    for (const { payload } of await ask('chart-post')) assert.equal(payload!.asset, 'BTC');
    for (const { symbol } of await ask('get-price-get')) assert.equal(symbol, 'BTC/USDT');
    for (const { score } of await ask('assess-risk-post')) assert.equal(typeof score, 'number');
    for (const { payload } of await ask('list-sessions-get')) assert.ok(Array.isArray(payload!.sessions));
  });

  it('can be read without its script', async function () {
    if (!browser) return skip(this, noChromium);
    await withoutScripts(page, async () => {
      await page.goto(`${service.url}/docs/indicator`);
      assert.ok(await page.locator('#backtest-post').isVisible());
      assert.ok(!(await page.locator('#search').isVisible()));
    });
  });

  it('is accessible and fits wide and narrow windows, light and dark', async function () {
    if (!browser) return skip(this, noChromium);
    const errors = watchErrors(page);
    for (const path of ['/docs', '/docs/account', '/docs/ledger']) {
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.emulateMedia({ colorScheme: 'light' });
      await page.goto(service.url + path);
      await page.waitForSelector('.copy');
      await page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true');
      assert.deepEqual(await axeFaults(page), []);
      assert.equal(await overflowOf(page), 0);
      await page.emulateMedia({ colorScheme: 'dark' });
      assert.equal(await overflowOf(page), 0);
      await page.setViewportSize({ width: 390, height: 900 });
      assert.deepEqual(await axeFaults(page, [...layoutRules, ...colourRules]), []);
      assert.equal(await overflowOf(page), 0);
    }
    await page.emulateMedia({ colorScheme: 'light' });
    assert.deepEqual(errors, []);
  });

  it('is on no page longer than 15,000 px', async function () {
    if (!browser) return skip(this, noChromium);
    await page.setViewportSize({ width: 1280, height: 900 });
    const { subjects } = docsParts(service.settings);
    for (const slug of ['', ...subjects.map((subject) => `/${subject.slug}`)]) {
      await page.goto(`${service.url}/docs${slug}`);
      const height = await page.evaluate<number>('document.documentElement.scrollHeight');
      assert.ok(height <= 15_000, `${slug}: ${height} px`);
    }
  });

  it('leads from an anchor of the time when it was one page to the new place', async function () {
    if (!browser) return skip(this, noChromium);
    for (const [anchor, place] of [
      ['backtest-post', '/docs/indicator#backtest-post'],
      ['limits', '/docs/requests#limits'],
    ]) {
      await page.goto(`${service.url}/docs#${anchor}`);
      await page.waitForURL(`**${place}`);
      await page.goto('about:blank');
    }
  });

  it('is looked at for contrast text by text where one text differs from the others', async function () {
    if (!browser) return skip(this, noChromium);
    // A short page of the same style: each look at the long one takes seconds.
    await page.goto(`${service.url}/docs/tokens`);
    assert.deepEqual(await axeFaults(page, colourRules), []);
    await page.evaluate('document.querySelector("main p:nth-of-type(2)").style.color = "#eee"');
    assert.deepEqual(
      (await axeFaults(page, colourRules)).map((fault) => fault.slice(0, 17)),
      ['color-contrast: <'],
    );
    await page.evaluate('document.querySelector("main p a").style.textDecoration = "none"');
    assert.match((await axeFaults(page, colourRules)).join(), /link-in-text-block/);
  });

  it('finds endpoints by what they are for, by path and by field, from each page', async function () {
    if (!browser) return skip(this, noChromium);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(`${service.url}/docs/tokens`);
    await page.keyboard.press('/');
    await page.keyboard.type('averageentry');
    await page.getByText(/^\d+ places?/).waitFor();
    assert.match((await page.locator('#results').textContent())!, /dca-ladder.*averageEntry/);
    await page.fill('#search', 'follow a channel');
    await page.locator('#results li').first().getByText('/backend/subscriptions').waitFor();
    await page.fill('#search', 'exchanges delete');
    await page.locator('#results li').first().getByText('DELETE /backend/exchanges').waitFor();
    await page.locator('#results a').first().click();
    await page.waitForURL('**/docs/portfolio#disconnect-exchange-delete');
    await page.fill('#search', 'a');
    await page.fill('#search', '');
    await page.locator('#contents').waitFor();
  });

  it('marks the section that is read', async function () {
    if (!browser) return skip(this, noChromium);
    await page.setViewportSize({ width: 1280, height: 900 });
    for (const [slug, id] of [
      ['requests', 'signing'],
      ['indicator', 'backtest-post'],
      ['requests', 'envelope'],
    ]) {
      await page.goto(`${service.url}/docs/${slug}#${id}`);
      await page.waitForSelector(`nav a[href="#${id}"][aria-current="location"]`);
      assert.equal(await page.locator('nav [aria-current=location]').count(), 1);
    }
  });

  it('copies an example in the language that was chosen last, and covers no text', async function () {
    if (!browser) return skip(this, noChromium);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`${service.url}/docs/indicator`);
    const example = page.locator('#chart-post .example').first();
    await example.getByRole('button', { name: 'Python' }).click();
    await page.goto(`${service.url}/docs/ledger`);
    await page.goto(`${service.url}/docs/indicator`);
    await example.getByRole('button', { name: 'Python', pressed: true }).waitFor();
    await example.getByRole('button', { name: 'Copy' }).click();
    await example.getByText('Copied').waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    assert.equal(copied, await example.locator('pre:visible').textContent());
    assert.match(copied, /^import json/);
    const [head, text] = [
      await example.locator('.head').boundingBox(),
      await example.locator('pre:visible').boundingBox(),
    ];
    assert.ok(head!.y + head!.height <= text!.y);
  });
});
