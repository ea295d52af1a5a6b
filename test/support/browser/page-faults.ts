import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The rules of axe that look at colours, in which light and dark pages differ: a test of the stylesheets holds that. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/**
 * What axe finds wrong with a page, as `rule: element`; empty for an accessible page. `colours`: only what depends on
 * colours is looked at, for a page that was looked at as a whole in another colour scheme.
 */
export async function axeFaults(page: Page, only?: 'colours'): Promise<string[]> {
  if (await page.evaluate<boolean>('typeof axe === "undefined"')) await page.evaluate(axeSource);
  const options = {
    // Without a list of all that is right, which takes most of the time on a long page.
    ...{ resultTypes: ['violations'], selectors: false, elementRef: false },
    ...(only && { runOnly: colourRules }),
  };
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(options)})`);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}

/** By how many pixels a page is wider than the window. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** Collects what a page reports while it is used: errors of its scripts, and what its policy refuses. */
export function watchErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  return errors;
}

/** The windows and colour schemes in which pages are tried, with what axe has to look at there. The last one is narrow. */
export const views = [1280, 390].flatMap((width) => [
  { width, colorScheme: 'light' as const },
  { width, colorScheme: 'dark' as const, only: 'colours' as const },
]);

/**
 * Holds that a page is accessible and no wider than the window, in each window and colour scheme. `picture`: a path without
 * ending; set, a picture of each is stored there.
 */
export async function assertShown(page: Page, name: string, picture = ''): Promise<void> {
  for (const { width, colorScheme, only } of views) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    const view = `${width}-${colorScheme}`;
    assert.deepEqual(await axeFaults(page, only), [], `${name} ${view}`);
    assert.equal(await overflowOf(page), 0, `${name} ${view}`);
    if (picture !== '') await page.screenshot({ path: `${picture}-${view}.png`, fullPage: true });
  }
}
