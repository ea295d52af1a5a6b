import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds wrong with a page, as `rule: element`; empty for an accessible page. */
export async function axeFaults(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  // Without a list of all that is right, which takes most of the time on a long page.
  const { violations } = await page.evaluate<AxeResults>(
    'axe.run({ resultTypes: ["violations"], selectors: false, elementRef: false })',
  );
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

/** The windows and colour schemes in which pages are tried. */
export const views = [390, 1280].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
);
