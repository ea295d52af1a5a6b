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

/** The windows and colour schemes in which pages are tried, with what axe has to look at there. */
export const views = [390, 1280].flatMap((width) => [
  { width, colorScheme: 'light' as const },
  { width, colorScheme: 'dark' as const, only: 'colours' as const },
]);
