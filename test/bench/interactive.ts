import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { closePages, noChromium, openBrowser } from '../support/browser/open-browser.js';
import { CommandProcess, freePort } from '../support/process/service-process.js';
import { until } from '../support/process/until.js';
import { percentile, printTable } from './measure.js';

const slowness = 4;
const tries = 5;
/** What is not in use by then counts as this. */
const longestMs = 15_000;
const pages = ['/', '/app', '/app/asset/BTC', '/app/about', '/docs', '/docs/market-readings'];

/** When a page can be used with a CPU slowed down 4 times: its h1 is shown, nothing is loading, and no long task has run for half a second (each second brings new prices). */
export async function benchInteractive(): Promise<void> {
  const browser = await openBrowser();
  if (!browser) throw new Error(noChromium);
  const folder = await mkdtemp(join(tmpdir(), 'tidemark-interactive-'));
  const port = String(await freePort());
  const env = { DATA_DIR: folder, LOG_LEVEL: 'warn', PORT: port };
  const service = new CommandProcess(process.execPath, ['dist/jobs/run.js', 'start'], env);
  await service.printed(/Tidemark is ready/);
  const url = `http://127.0.0.1:${port}`;
  // The first answer reads the candles of all pairs.
  await until('the market', async () => (await fetch(`${url}/backend/market`)).ok);
  const rows = [['page', 'interactive p50', 'slowest']];
  for (const path of pages) {
    const times: number[] = [];
    for (let n = 0; n < tries; n++) times.push(await interactiveMs(browser, url + path));
    rows.push([path, `${percentile(times, 0.5).toFixed(0)} ms`, `${Math.max(...times).toFixed(0)} ms`]);
  }
  printTable(`first visits, CPU slowed down ${slowness} times, ${tries} of each page`, rows);
  await closePages(browser);
  await browser.close();
  await service.interrupt();
  await rm(folder, { recursive: true });
}

async function interactiveMs(browser: Browser, url: string): Promise<number> {
  const page = await browser.newPage();
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowness });
  await page.addInitScript(watching);
  await page.goto(url);
  const isInUse = 'ready > 0 && performance.now() - Math.max(ready, longTaskEnd) > 500';
  const ms = await until('a page in use', () => page.evaluate<boolean>(isInUse), longestMs).then(
    () => page.evaluate<number>('Math.max(ready, longTaskEnd)'),
    () => longestMs,
  );
  await page.context().close();
  return ms;
}

/** What runs in the page: since when it is shown as a whole, and when its last long task has ended. */
const watching = `
  Object.assign(globalThis, { ready: 0, longTaskEnd: 0 });
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) longTaskEnd = Math.max(longTaskEnd, startTime + duration);
  }).observe({ type: 'longtask', buffered: true });
  const watch = () => {
    const isShown = document.querySelector('h1')?.checkVisibility() && !document.querySelector('[aria-busy=true]');
    ready = isShown ? ready || performance.now() : 0;
    requestAnimationFrame(watch);
  };
  requestAnimationFrame(watch);
`;
