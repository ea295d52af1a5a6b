import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { catalogue } from '../../../gateway/mcp/catalogue.js';
import { tools } from '../../../gateway/mcp/tools.js';
import { connectHelp } from '../../../gateway/web/docs/help/connect-help.js';
import type { HelpPage } from '../../../gateway/web/docs/help/help-page.js';
import { html } from '../../../gateway/web/html.js';
import { closePages, noChromium, openBrowser } from '../../support/browser/open-browser.js';
import { assertShown, watchErrors } from '../../support/browser/page-faults.js';
import { openTestMarket } from '../../support/candles/market.js';
import type { TestService } from '../../support/gateway/gateway.js';
import { projectRoot } from '../../support/harness/paths.js';
import { skip } from '../../support/harness/skip.js';

const run = promisify(execFile);
const paths = ['/docs/connect', '/docs/tokens', '/docs/requests', '/docs/signals'];
const textOf = ({ intro, sections }: HelpPage) =>
  intro.text + sections.map(({ body }) => body.text).join('\n');
const plain = (text: string) =>
  text
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&gt;', '>')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&');
/** What stands in the boxes of a page. */
const blocksOf = (page: string) =>
  [...page.matchAll(/<pre[^>]*><code>([^]*?)<\/code>/g)].map(([, code]) => plain(code));

describe('the help pages', function () {
  this.timeout(60_000);
  let browser: Browser | null;
  let service: TestService;
  const pages = new Map<string, string>();

  before(async () => {
    ({ service } = await openTestMarket());
    browser = await openBrowser();
    for (const path of ['/docs', ...paths]) pages.set(path, await (await fetch(service.url + path)).text());
  });
  after(async () => {
    await closePages(browser);
    await service.close();
  });

  it('load nothing from elsewhere and run nothing of their own text', async () => {
    for (const path of paths) {
      const answer = await fetch(service.url + path);
      assert.match(answer.headers.get('content-security-policy')!, /default-src 'none'; script-src 'self'/);
      assert.doesNotMatch(pages.get(path)!, /<script[^>]*>[^<]|<style|\sstyle=|\son\w+=/);
    }
  });

  it('are linked from the documentation', () => {
    for (const path of paths) assert.ok(pages.get('/docs')!.includes(`href="${path}"`), path);
  });

  it('give settings that are JSON with the address of the service', () => {
    const page = textOf(connectHelp('https://tidemark.example'));
    const settings = blocksOf(page).filter((block) => block.startsWith('{'));
    assert.equal(settings.length, 5);
    for (const text of settings) {
      JSON.parse(text);
      assert.match(text, /"https:\/\/tidemark\.example\/mcp"/);
    }
    const commands = blocksOf(page).filter((block) => /^(claude|gemini) /.test(block));
    assert.equal(commands.length, 4);
    for (const command of commands) assert.match(command, / https:\/\/tidemark\.example\/mcp( |$)/);
    assert.doesNotMatch(page, /127\.0\.0\.1/);
  });

  it('count the tools: all by scope, and the agreed ones that need no account', () => {
    const open = catalogue.filter(({ scope }) => scope === 'public').length;
    assert.ok(pages.get('/docs/connect')!.includes(`${open} of ${catalogue.length} tools need no account`));
    for (const scope of ['read:portfolio', 'read:analysis', 'ask:assistant', 'write:strategies']) {
      const [, row] = pages.get('/docs/tokens')!.split(`<td><code>${scope}</code></td>`);
      const count = tools.filter(({ listing }) => listing.scope === scope).length;
      assert.ok(count > 0, scope);
      assert.match(row, new RegExp(`^\\s*<td>${count}</td>`));
    }
  });

  it('name the address with the few tools that small clients need', () => {
    assert.ok(pages.get('/docs/connect')!.includes('?toolsets=core'));
  });

  it('name every endpoint of tokens', () => {
    for (const name of ['GET /backend/tokens', 'POST /backend/tokens', 'DELETE /backend/tokens/:id'])
      assert.ok(pages.get('/docs/tokens')!.includes(`<code>${name}</code>`), name);
  });

  it('show the example programs as they are', () => {
    for (const file of ['call-tool.ts', 'call_tool.py']) {
      const text = readFileSync(join(projectRoot, 'gateway/web/examples', file), 'utf8');
      const shown = text.replaceAll('http://127.0.0.1:3000', 'https://tidemark.example');
      assert.ok(textOf(connectHelp('https://tidemark.example')).includes(html`${shown}`.text), file);
    }
  });

  it('give a command that makes a token, with which the example in TypeScript calls a tool', async () => {
    const session = await service.signIn();
    const command = blocksOf(pages.get('/docs/tokens')!).find((block) => block.startsWith('curl'))!;
    const at = command.replace(/'http:\/\/[^/]*\//, `'${service.url}/`);
    const made = await run('bash', ['-c', at], { env: { ...process.env, SESSION: session } });
    const { token } = (JSON.parse(made.stdout) as { payload: { token: string } }).payload;
    const program = join(projectRoot, 'dist/gateway/web/examples/call-tool.js');
    const call = async (...args: string[]) => {
      const { stdout } = await run(process.execPath, [program, `${service.url}/mcp`, ...args]);
      return JSON.parse(stdout) as Record<string, unknown>;
    };
    assert.equal((await call('get_momentum_reading', '{"asset": "BTC"}')).asset, 'BTC');
    assert.equal((await call('get_momentum_reading', '{"asset": "BTC"}', token)).asset, 'BTC');
    const mistaken = call('get_momentum_reading', '{"asset": "BTC", "trade_markt": "USDT"}');
    await assert.rejects(mistaken, ({ code, stdout }) => code === 1 && String(stdout).includes('nearest'));
    await assert.rejects(call('get_momentum_reading', '{"asset": "BTC"}', `pat_${'0'.repeat(64)}`));
  });

  it('are accessible, and fit in wide and narrow windows, light and dark', async function () {
    if (!browser) return skip(this, noChromium);
    const page = await browser.newPage();
    const errors = watchErrors(page);
    const { SCREENSHOTS = '' } = process.env;
    for (const path of paths) {
      await page.goto(service.url + path);
      await page.waitForSelector('.copy');
      await assertShown(page, path, SCREENSHOTS && `${SCREENSHOTS}/help${path.replaceAll('/', '-')}`);
    }
    assert.deepEqual(errors, []);
    await page.close();
  });
});
