import assert from 'node:assert/strict';
import type { Browser, Page, Route } from 'playwright-core';
import { places, type Place } from '../../../../gateway/web/app/places.js';
import { openApp, signInApp } from '../../../support/browser/open-app.js';
import { closePages, noChromium, openBrowser } from '../../../support/browser/open-browser.js';
import { assertShown, lowTargets, overflowOf, pageWidths } from '../../../support/browser/page-faults.js';
import { openTestMarket } from '../../../support/candles/market.js';
import type { TestService } from '../../../support/gateway/gateway.js';
import { unlimited } from '../../../support/gateway/unlimited.js';
import { skip } from '../../../support/harness/skip.js';
import { until } from '../../../support/process/until.js';
import { partnerClient } from '../../../support/signals/partner-client.js';

const { SCREENSHOTS = '' } = process.env;
const requestId = '8a3f0c1e-57d4-4a86-9b0e-000000000038';

/** The address of a page; what it names is not stored. */
const pathOf = ({ path }: Place): string => path.replace(':asset', 'BTC').replace(/:\w+/, '0'.repeat(64));

describe('the pages of the application, in each state', function () {
  this.timeout(180_000);
  let browser: Browser | null;
  let page: Page;
  let service: TestService;

  before(async function () {
    browser = await openBrowser();
    if (!browser) return skip(this, noChromium);
    ({ service } = await openTestMarket({ env: unlimited }));
    page = await browser.newPage();
    // A user for whom all pages are, with nothing of its own.
    const token = await service.signIn({ operator: true });
    const { userId } = (await service.deps.signedIn.find(token))!;
    await service.storage.partners.addMember((await partnerClient(service)).name, userId);
    await signInApp(page, service, token);
    await fetch(`${service.url}/backend/market`);
  });
  beforeEach(() => page.unrouteAll({ behavior: 'ignoreErrors' }));
  after(async () => {
    if (!browser) return;
    await closePages(browser);
    await service.close();
  });

  /** Answers all that pages ask, but for who uses the browser, with what the route does. */
  const answerAll = (answer: (route: Route) => unknown) =>
    page.route(/\/(backend|operator)\/(?!session$|stream|preferences)/, answer);
  const refuseAll = (status: number) =>
    answerAll((route) =>
      route.fulfill({ status, body: JSON.stringify({ payload: { message: 'it is broken', requestId } }) }),
    );
  const shown = (name: string, place: Place) => {
    const picture = `${SCREENSHOTS}/${place.file.split('/')[1]}-${name}`;
    return assertShown(page, `${place.title}, ${name}`, SCREENSHOTS && picture);
  };

  for (const place of places)
    it(`${place.file}: loading, failed, empty, offline and after the session has ended`, async () => {
      await answerAll(() => undefined);
      await page.goto(service.url + pathOf(place));
      await page.getByRole('heading', { level: 1 }).waitFor();
      const isAsking = (await page.locator('[aria-busy=true]').count()) > 0;
      for (const width of pageWidths) {
        await page.setViewportSize({ width, height: 900 });
        assert.equal(await overflowOf(page), 0, `loading ${width}`);
      }

      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await refuseAll(500);
      await openApp(page, service, pathOf(place));
      const failed = await page.getByRole('alert').allTextContents();
      if (isAsking) assert.ok(failed.length > 0, 'nothing says that it failed');
      for (const text of failed) assert.match(text, /It is broken\..*8a3f0c1e.*Try again/);
      await shown('failed', place);
      assert.deepEqual(await lowTargets(page), []);

      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await openApp(page, service, pathOf(place));
      await shown('empty', place);
      assert.deepEqual(await lowTargets(page), []);
      // Zoomed in, and between the views.
      for (const width of [320, 1_024]) {
        await page.setViewportSize({ width, height: 900 });
        assert.equal(await overflowOf(page), 0, `${width}`);
      }
      const main = page.getByRole('main');
      // Why there are no figures, or no newer ones, changes.
      const lengthOfText = async () =>
        (await main.textContent())!.length -
        (await main.getByRole('alert').allTextContents()).join('').length;
      const before = await lengthOfText();
      await page.context().setOffline(true);
      await page
        .getByRole('banner')
        .getByText(/^Offline/)
        .waitFor();
      assert.ok((await lengthOfText()) >= before, 'something is gone');
      await page.context().setOffline(false);

      if (!isAsking) return;
      await refuseAll(401);
      await page.goto(service.url + pathOf(place));
      await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
      await until('the page', () => page.getByRole('heading', { level: 1 }).isVisible());
      // The dialog is the same over each page.
      if (place.file === 'portfolio/portfolio') await shown('ended', place);
    });
});
