import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { announceNode, type RunningJob } from '../../../storage/cluster/nodes.js';
import { ScheduleRuns, type ScheduleRun } from '../../../storage/cluster/schedule-runs.js';
import { DeadLetters } from '../../../storage/cluster/dead-letters.js';
import { hashPassword } from '../../../storage/users/password.js';
import { closePages, noChromium, openBrowser } from '../../support/browser/open-browser.js';
import { assertShown, watchErrors } from '../../support/browser/page-faults.js';
import { openTestMarket } from '../../support/candles/market.js';
import type { TestService } from '../../support/gateway/gateway.js';
import { buryCoreLine } from '../../support/jobs/bury-core-line.js';
import { until } from '../../support/process/until.js';
import { skip } from '../../support/harness/skip.js';

const account = { email: 'operator@example.com', password: 'a long password' };
const job: RunningJob = {
  ...{ id: 'f0b6 0', name: 'sweep', traceId: '5f1c3a52-6d0e-4a57-9b0e-2f8d1c7a9e10' },
  ...{ ms: 4_200, phase: 'testing', fraction: 0.4 },
};

// What runs in the page is given as text: the project is compiled without the types of browsers.
const focusedLabel = (page: Page): Promise<string> =>
  page.evaluate("document.activeElement.getAttribute('aria-label')");
const storedSession = "sessionStorage.getItem('tidemark-session')";
const selectNote =
  'getSelection().selectAllChildren(document.querySelector(\'[data-key="clean-up"] .wide\'))';

const watchDropped = `{
  const list = document.querySelector('#dead');
  window.hasComeBack = false;
  new MutationObserver(() => (hasComeBack ||= list.textContent.includes('id aa'))).observe(list, { childList: true });
}`;

describe('the dashboard in a browser', function () {
  this.timeout(120_000);
  let browser: Browser | null;
  let page: Page;
  let service: TestService;
  let worker: { stop(): Promise<void> };
  let letters: DeadLetters;

  before(async function () {
    browser = await openBrowser();
    if (!browser) return skip(this, noChromium);
    ({ service } = await openTestMarket());
    const { redis } = service.deps;
    letters = new DeadLetters(redis);
    const passwordHash = await hashPassword(account.password);
    await service.storage.users.add({ email: account.email, plan: 'free', operator: true, passwordHash });
    const work = () => ({ threads: null, busy: null, running: 1, jobs: [job] });
    worker = announceNode(redis, 'market', work, ['schedules']);
    const run: ScheduleRun = {
      ...{ name: 'clean-up', jobId: '1', dueAt: null, outcome: 'done', node: 'server-1:42', attempt: 1 },
      ...{ startedAt: new Date().toISOString(), endedAt: new Date().toISOString() },
      note: '3 sessions and 12 stored results were removed',
    };
    await new ScheduleRuns(redis).put(run, Date.now());
    for (let n = 0; n < 5; n++)
      await service.post('/backend/core-line/chart', { asset: 'BTC', limit: n + 1 });
    await service.deps.activity.flush();
    page = await browser.newPage();
  });
  beforeEach(async () => {
    await letters.dropAll();
    for (const id of ['aa', 'bb', 'cc']) await buryCoreLine(service, { id });
  });
  after(async () => {
    if (!browser) return;
    await closePages(browser);
    await worker.stop();
    await service.close();
  });

  async function signIn(): Promise<void> {
    await page.fill('#email', account.email);
    await page.fill('#password', account.password);
    await page.click('#sign-in button');
    await filled();
  }

  async function filled(): Promise<void> {
    await page.waitForSelector('#dead li');
    await page.waitForSelector('#charts figure');
  }

  /** Opens the page anew, with the session of the test before if there is one. */
  async function openSignedIn(): Promise<void> {
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.goto(`${service.url}/dashboard`);
    await ((await page.evaluate(storedSession)) === null ? signIn() : filled());
  }

  /** Resolves when the page has shown two newer states. */
  async function polled(): Promise<void> {
    for (let n = 0; n < 2; n++) {
      const shown = await page.getAttribute('#connection time', 'datetime');
      await page.waitForSelector(`#connection time:not([datetime="${shown}"])`);
    }
  }

  const ids = async () => (await letters.list()).map(({ id }) => id).sort();
  const dead = (id: string) => page.locator('#dead li', { hasText: `id ${id}` });

  it('is accessible, and fits in wide and narrow windows, light and dark', async () => {
    const errors = watchErrors(page);
    await page.goto(`${service.url}/dashboard`);
    await page.waitForSelector('#sign-in:not([hidden])');
    await assertShown(page, 'sign-in');
    await signIn();
    await assertShown(page, 'signed in');
    // The window is narrow now.
    const cut = await page.$$eval('.scroll', (boxes) =>
      boxes.map((box) => box.scrollWidth - box.clientWidth),
    );
    assert.deepEqual(
      cut,
      cut.map(() => 0),
    );
    await dead('aa').getByRole('button', { name: /^Drop/ }).click();
    await assertShown(page, 'drop');
    assert.deepEqual(errors, []);
  });

  it('keeps focus, selected text and open details while it polls', async () => {
    await openSignedIn();
    const run = page.getByRole('button', { name: 'Run now: clean-up' });
    await dead('bb').locator('summary').click();
    await run.focus();
    const note = '3 sessions and 12 stored results were removed';
    await page.evaluate(selectNote);
    await polled();
    assert.equal(await focusedLabel(page), 'Run now: clean-up');
    assert.equal(await page.evaluate('String(getSelection())'), note);
    assert.equal(await dead('bb').locator('details').getAttribute('open'), '');
  });

  it('drops a dead job only after it has asked', async () => {
    await openSignedIn();
    const drop = dead('aa').getByRole('button', { name: /^Drop/ });
    await drop.click();
    await page.keyboard.press('Escape');
    assert.match(await focusedLabel(page), /^Drop core-line aa$/);
    await drop.click();
    await page.getByRole('button', { name: 'Keep' }).click();
    assert.deepEqual(await ids(), ['aa', 'bb', 'cc']);
    await drop.click();
    await page.locator('#confirm-yes').click();
    await dead('aa').waitFor({ state: 'detached' });
    assert.deepEqual(await ids(), ['bb', 'cc']);
  });

  it('retries all dead jobs', async () => {
    await buryCoreLine(service, { id: 'no', base: 'NOPE' });
    await openSignedIn();
    await page.getByRole('button', { name: 'Retry all dead jobs' }).click();
    await page.getByText('all: 3 succeeded, 1 failed again').waitFor();
    assert.deepEqual(await ids(), ['no']);
  });

  it('shows running jobs with progress, and cancels one only after it has asked', async () => {
    await openSignedIn();
    await page.getByText('40 % testing').waitFor();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
    await page.getByRole('button', { name: 'Cancel sweep' }).click();
    await page.getByRole('button', { name: 'Keep' }).click();
    assert.ok(!asked.includes('POST /operator/jobs/cancel'));
    await page.getByRole('button', { name: 'Cancel sweep' }).click();
    await page.locator('#confirm-yes').click();
    await page.getByText('sweep: cancelled').waitFor();
    assert.ok(asked.includes('POST /operator/jobs/cancel'));
  });

  it('starts a schedule', async () => {
    await openSignedIn();
    await page.getByRole('button', { name: 'Run now: clean-up' }).click();
    await page.getByText('clean-up: started').waitFor();
    const waiting = page.locator('#queues tr', { hasText: 'schedules' }).locator('[data-title="waiting"]');
    await until('a waiting run', async () => (await waiting.textContent()) === '1');
  });

  it('says in words what the charts show', async () => {
    await openSignedIn();
    const charts = await page.locator('#charts svg').all();
    const labels = await Promise.all(charts.map((each) => each.getAttribute('aria-label')));
    assert.equal(labels.length, 4);
    assert.match(labels[0]!, /^Requests per minute: \d+ in the last hour, 0 failed; at most \d+ a minute$/);
    assert.equal(
      await page.locator('#charts figure').nth(1).locator('strong + .key.p99').innerText(),
      '99 %',
    );
    assert.match(labels[1]!, /^Request latency: last: half within [\d.]+ m?s, 99 % within [\d.]+ m?s/);
  });

  it('ends the session at the service when one signs out', async () => {
    await openSignedIn();
    const token = await page.evaluate<string>(storedSession);
    const ask = () => fetch(`${service.url}/operator/cluster`, { headers: { 'session-token': token } });
    assert.equal((await ask()).status, 200);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForSelector('#sign-in:not([hidden])');
    assert.equal((await ask()).status, 401);
    assert.equal(await page.evaluate('sessionStorage.length'), 0);
  });

  it('tells the time in UTC, and puts the focus on the content after the sign-in', async () => {
    await page.goto(`${service.url}/dashboard`);
    await signIn();
    assert.match(await page.innerText('#connection'), /^as of \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/);
    await page.waitForFunction('document.activeElement.id === "main"');
  });

  it('shows no state that is older than the last action', async () => {
    await openSignedIn();
    let isHeld!: () => void;
    let release!: () => void;
    const held = new Promise<void>((resolve) => (isHeld = resolve));
    const released = new Promise<void>((resolve) => (release = resolve));
    // The first answer arrives after the one that follows it.
    await page.route(
      '**/operator/cluster',
      async (route) => {
        const response = await route.fetch();
        isHeld();
        await released;
        await route.fulfill({ response });
      },
      { times: 1 },
    );
    await held;
    await dead('aa').getByRole('button', { name: /^Drop/ }).click();
    await page.locator('#confirm-yes').click();
    await dead('aa').waitFor({ state: 'detached' });
    await page.evaluate(watchDropped);
    release();
    await polled();
    assert.equal(await page.evaluate('hasComeBack'), false);
  });

  it('closes an open question when the session has ended', async () => {
    await openSignedIn();
    await dead('aa').getByRole('button', { name: /^Drop/ }).click();
    const token = await page.evaluate<string>(storedSession);
    await fetch(`${service.url}/backend/logout`, {
      method: 'POST',
      headers: { 'session-token': token, 'Content-Type': 'application/json' },
      body: '{}',
    });
    await page.getByText('Your session has expired: sign in again.').waitFor();
    assert.equal(await page.evaluate('document.activeElement.id'), 'email');
    assert.deepEqual(await ids(), ['aa', 'bb', 'cc']);
  });

  it('says that it gets no state, goes on when there is one again, and tells its own fault', async () => {
    await openSignedIn();
    const cluster = '**/operator/cluster';
    const error = page.locator('#connection-error');
    await page.route(cluster, (route) => route.fulfill({ body: '<p>a proxy</p>' }));
    await error.getByText('the answer is not JSON').waitFor();
    await page.unroute(cluster);
    await page.waitForSelector('#connection-error:empty', { state: 'attached' });
    await page.route(cluster, (route) => route.fulfill({ json: { payload: {} } }), { times: 1 });
    await error.getByText('this page has failed: reload it').waitFor();
  });

  it('asks again when the service does not answer a poll', async () => {
    // Ten seconds are half a second here.
    await page.addInitScript(
      'const timeout = AbortSignal.timeout; AbortSignal.timeout = (ms) => timeout.call(AbortSignal, ms / 20)',
    );
    await openSignedIn();
    await page.route('**/operator/cluster', () => undefined, { times: 1 });
    await page.locator('#connection-error').getByText('the service does not answer').waitFor();
    await page.waitForSelector('#connection-error:empty', { state: 'attached' });
  });
});
