import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import { closeAfterTests } from '../servers/servers.js';

/** The first, which has no windows, uses a quarter less of the processor for the same pages. */
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];

/** Why a test of a page is skipped. */
export const noChromium =
  'no Chromium on PATH: install it (Debian: chromium), or name its program in CHROMIUM';

/** The path of an installed Chromium, or null. CHROMIUM names another. */
function chromiumPath(): string | null {
  const { CHROMIUM, PATH = '' } = process.env;
  const places = PATH.split(':').flatMap((folder) => names.map((name) => join(folder, name)));
  return [CHROMIUM ?? '', ...places].find((path) => path !== '' && existsSync(path)) ?? null;
}

let opening: Promise<Browser | null> | undefined;

/**
 * The headless browser of this process, started with the first call; files that use it close their contexts with
 * `closePages`. Null where none is installed.
 */
export const openBrowser = (): Promise<Browser | null> => (opening ??= launch());

async function launch(): Promise<Browser | null> {
  const executablePath = chromiumPath();
  if (executablePath === null) return null;
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  closeAfterTests(() => browser.close());
  return browser;
}

/** Closes every page of the browser, those of failed tests included, with their cookies. */
export const closePages = async (browser: Browser | null): Promise<void> =>
  void (await Promise.all(browser?.contexts().map((context) => context.close()) ?? []));

/**
 * Makes a page that a test has used as good as new: at no address, without cookies, permissions, listeners and what its last
 * address stored. It costs a fifth of a new page, for which Chromium starts a process.
 */
export async function renewPage(page: Page): Promise<void> {
  await page.evaluate(
    'if (location.protocol.startsWith("http")) { sessionStorage.clear(); localStorage.clear(); }',
  );
  for (const event of ['console', 'pageerror', 'request']) page.removeAllListeners(event);
  await page.goto('about:blank');
  await page.context().clearCookies();
  await page.context().clearPermissions();
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Runs the action while the page runs no scripts of its own. */
export async function withoutScripts(page: Page, action: () => Promise<void>): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setScriptExecutionDisabled', { value: true });
  try {
    await action();
  } finally {
    // With the session ends what it has set.
    await session.detach();
  }
}
