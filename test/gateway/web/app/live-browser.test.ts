import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { Prices } from '../../../../storage/candles/prices.js';
import { tellLive } from '../../../../storage/live/live-events.js';
import { openApp, settled, signInApp } from '../../../support/browser/open-app.js';
import { closePages, noChromium, openBrowser } from '../../../support/browser/open-browser.js';
import { openTestMarket } from '../../../support/candles/market.js';
import type { TestService } from '../../../support/gateway/gateway.js';
import { unlimited } from '../../../support/gateway/unlimited.js';
import { skip } from '../../../support/harness/skip.js';
import { until } from '../../../support/process/until.js';

describe('the live stream in a browser', function () {
  this.timeout(180_000);
  let browser: Browser | null;
  let service: TestService;
  let token: string;
  let page: Page;

  before(async function () {
    browser = await openBrowser();
    if (!browser) return skip(this, noChromium);
    ({ service, token } = await openTestMarket({ env: unlimited }));
    await fetch(`${service.url}/backend/market`);
    page = await (await browser.newContext()).newPage();
  });
  after(async () => {
    if (!browser) return;
    await closePages(browser);
    await service.close();
  });

  const mark = (of: Page) => of.getByRole('banner').getByRole('status').textContent();
  const isLive = (of: Page) => until('the page is live', async () => (await mark(of)) === 'Live');
  const shows = (of: Page, text: string) =>
    until(`the table shows ${text}`, async () =>
      ((await of.getByRole('table', { name: 'Market' }).textContent()) ?? '').includes(text),
    );
  const price = (value: number) =>
    new Prices(service.deps.redis).put('csv', [
      { base: 'BTC', quote: 'USDT', price: value, change24hPercent: 1.5, time: Date.now() },
    ]);

  it('changes prices without asking for them, by one stream for all tabs, which another tab takes over', async () => {
    await signInApp(page, service, token);
    await openApp(page, service, '/app');
    await isLive(page);
    const second = await page.context().newPage();
    await openApp(second, service, '/app');
    await isLive(second);
    const asked: string[] = [];
    for (const each of [page, second]) each.on('request', (request) => asked.push(request.url()));
    await price(23_456.78);
    await Promise.all([page, second].map((each) => shows(each, '23,456.78')));
    assert.deepEqual(asked, []);
    assert.equal(service.deps.live.size, 1);
    await page.close();
    await price(34_567.89);
    await shows(second, '34,567.89');
    assert.equal(service.deps.live.size, 1);
    page = second;
  });

  it('asks again when there is news, and after events were lost', async () => {
    await openApp(page, service, '/app');
    await isLive(page);
    const asks = () => page.waitForRequest((request) => request.url().includes('/backend/market?'));
    const onFlip = asks();
    await tellLive(service.deps.redis)([{ to: 'flips', name: 'flip', data: {} }]);
    await onFlip;
    const onReset = asks();
    const { size } = service.deps.live;
    assert.equal(size, 1);
    // The service has forgotten what the page has heard of, as after ten minutes.
    await service.deps.redis.del('tidemark:live:ids');
    service.deps.live.close();
    await onReset;
  });

  it('asks again for what is of the user once the first stream is there: something may have happened before', async () => {
    await signInApp(page, service, token);
    let begin: () => void;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    await page.route('**/backend/stream*', async (route) => {
      await begun;
      await route.continue();
    });
    await openApp(page, service, '/app/portfolio');
    const again = page.waitForRequest((request) => request.url().endsWith('/backend/portfolio'));
    begin!();
    await again;
    await page.unroute('**/backend/stream*');
  });

  it('says that it is offline, keeps the figures, and asks again for what may have failed once it is live', async () => {
    await openApp(page, service, '/app');
    await page.route('**/backend/stream*', (route) => route.abort());
    await page.reload();
    await settled(page);
    await until('it is offline', async () => (await mark(page))!.startsWith('Offline'));
    await shows(page, 'BTC');
    await page.unroute('**/backend/stream*');
    const again = page.waitForRequest((request) => request.url().includes('/backend/market?'));
    await page.evaluate("window.dispatchEvent(new Event('online'))");
    await isLive(page);
    await again;
  });
});
