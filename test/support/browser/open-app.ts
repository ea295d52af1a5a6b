import type { Page } from 'playwright-core';
import type { TestService } from '../gateway/gateway.js';
import { until } from '../process/until.js';

/** Opens a page of the application and waits until each of its panels shows something. */
export async function openApp(page: Page, service: TestService, path: string): Promise<void> {
  await page.goto(service.url + path);
  await settled(page);
}

/** Resolves when the page has its h1 and nothing on it is loading. */
export const settled = async (page: Page): Promise<void> =>
  void (await until('the panels of the page', () =>
    page.evaluate<boolean>(
      'document.querySelector("main h1") !== null && document.querySelector("[aria-busy=true]") === null',
    ),
  ));

/** Signs a browser in with the cookie of the pages. */
export async function signInApp(page: Page, service: TestService, token: string): Promise<void> {
  await page
    .context()
    .addCookies([{ name: 'session', value: token, url: service.url, httpOnly: true, sameSite: 'Lax' }]);
}
