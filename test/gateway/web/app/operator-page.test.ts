import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { DeadLetters } from '../../../../storage/cluster/dead-letters.js';
import { announceNode, type RunningJob } from '../../../../storage/cluster/nodes.js';
import { openApp, signInApp } from '../../../support/browser/open-app.js';
import { closePages, noChromium, openBrowser } from '../../../support/browser/open-browser.js';
import { assertShown, watchErrors } from '../../../support/browser/page-faults.js';
import { openTestMarket } from '../../../support/candles/market.js';
import type { TestService } from '../../../support/gateway/gateway.js';
import { unlimited } from '../../../support/gateway/unlimited.js';
import { skip } from '../../../support/harness/skip.js';
import { buryCoreLine } from '../../../support/jobs/bury-core-line.js';
import { until } from '../../../support/process/until.js';

const job: RunningJob = {
  id: 'f0b6 0',
  name: 'sweep',
  traceId: '5f1c3a52-6d0e-4a57-9b0e-2f8d1c7a9e10',
  ms: 4_200,
  phase: 'testing',
  fraction: 0.4,
};

describe('the page of operators, in a browser', function () {
  this.timeout(180_000);
  let browser: Browser | null;
  let page: Page;
  let service: TestService;
  let worker: { stop(): Promise<void> };
  let letters: DeadLetters;

  before(async function () {
    browser = await openBrowser();
    if (!browser) return skip(this, noChromium);
    ({ service } = await openTestMarket({ env: unlimited }));
    letters = new DeadLetters(service.deps.redis);
    const work = () => ({ threads: null, busy: null, running: 1, jobs: [job] });
    worker = announceNode(service.deps.redis, 'market', work, ['schedules']);
    page = await browser.newPage();
    await signInApp(page, service, await service.signIn({ operator: true }));
  });
  beforeEach(async () => {
    await letters.dropAll();
    for (const id of ['aa', 'bb']) await buryCoreLine(service, { id });
    await openApp(page, service, '/dashboard');
  });
  after(async () => {
    if (!browser) return;
    await closePages(browser);
    await worker.stop();
    await service.close();
  });

  const ids = async () => (await letters.list()).map(({ id }) => id).sort();
  const button = (name: string) => page.getByRole('button', { name });

  it('is where the dashboard leads to, is accessible and shows what happens as it does', async () => {
    const errors = watchErrors(page);
    assert.match(page.url(), /\/app\/operator$/);
    await page.getByText('40 % testing').waitFor();
    await buryCoreLine(service, { id: 'cc' });
    await button('Drop core-line cc').waitFor();
    await assertShown(page, 'operator');
    await page.setViewportSize({ width: 1280, height: 720 });
    assert.deepEqual(errors, []);
  });

  it('drops a dead job only after it has asked, while the page goes on to change', async () => {
    await button('Drop core-line aa').click();
    const dialog = page.getByRole('dialog');
    await buryCoreLine(service, { id: 'dd' });
    await button('Drop core-line dd').waitFor({ state: 'attached' });
    assert.ok(await dialog.isVisible());
    await page.keyboard.press('Escape');
    assert.deepEqual(await ids(), ['aa', 'bb', 'dd']);
    await button('Drop core-line aa').click();
    await dialog.getByRole('button', { name: /^Drop/ }).click();
    await until('it is dropped', async () => (await ids()).join() === 'bb,dd');
  });

  it('retries all dead jobs and says what came of it', async () => {
    await buryCoreLine(service, { id: 'no', base: 'NOPE' });
    await button('Retry all dead jobs').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Retry all' }).click();
    await page.getByText('2 succeeded, 1 failed again').waitFor();
    assert.deepEqual(await ids(), ['no']);
  });

  it('cancels a job and starts a schedule after it has asked', async () => {
    await button('Cancel sweep f0b6 0').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the job now' }).click();
    await page.getByText('sweep was cancelled').waitFor();
    await button('Run now: clean-up').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Run now' }).click();
    await page.getByText('clean-up was started').waitFor();
  });
});
