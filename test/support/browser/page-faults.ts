import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The rules of axe that look at colours, in which light and dark pages differ: a test of the stylesheets holds that. */
export const colourRules = ['color-contrast', 'link-in-text-block'];

/** The rules that depend on what a window shows and where, besides those of colours. No other can differ between widths. */
export const layoutRules = [
  'bypass',
  'empty-table-header',
  'label-content-name-mismatch',
  'region',
  'scrollable-region-focusable',
  'skip-link',
  'th-has-data-cells',
];

// What runs in the page is given as text: the project is compiled without the types of browsers.
/**
 * Marks, of texts whose colours, size and backgrounds are the same, one; of links, one whose own look and that of the text around it are
 * the same.
 */
const markLooks = `(() => {
  const grounds = new Map();
  const groundOf = (element) => {
    if (!element) return '';
    if (!grounds.has(element)) {
      const { backgroundColor, backgroundImage, opacity } = getComputedStyle(element);
      grounds.set(element, [groundOf(element.parentElement), backgroundColor, backgroundImage, opacity].join());
    }
    return grounds.get(element);
  };
  const lookOf = (element) => {
    const style = getComputedStyle(element);
    const { color, fontSize, fontWeight, fontStyle, textShadow, visibility, textDecoration, borderBottom } = style;
    const own = [color, fontSize, fontWeight, fontStyle, textShadow, visibility, textDecoration, borderBottom];
    return [groundOf(element), ...own].join('|');
  };
  // The look of the block in which a link stands, and whether it has other text.
  const blockOf = (link) => {
    let block = link.parentElement;
    while (getComputedStyle(block).display.startsWith('inline')) block = block.parentElement;
    const links = [...block.querySelectorAll('a')].map((each) => each.textContent);
    return lookOf(block) + (links.join('').length < block.textContent.trim().length);
  };
  const looks = new Set();
  for (const element of document.body.querySelectorAll('*')) {
    element.removeAttribute('data-look');
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '');
    const isLink = element.matches('a');
    if (!(hasText || isLink) || !element.checkVisibility() || element.getClientRects().length === 0) continue;
    const look = lookOf(element) + (isLink ? blockOf(element) : '');
    if (!looks.has(look)) element.setAttribute('data-look', '');
    looks.add(look);
  }
})()`;

/** The rules of colours look at what is marked alone. */
const coloursOfMarked = {
  rules: [
    { id: 'color-contrast', selector: '[data-look]' },
    { id: 'link-in-text-block', selector: 'a[href][data-look]' },
  ],
};

/**
 * What axe finds wrong with a page by these rules, or by all, as `rule: element`; empty for an accessible page. Of texts that look the same
 * the rules of colours see one.
 */
export async function axeFaults(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (await page.evaluate<boolean>('typeof axe === "undefined"')) {
    await page.evaluate(axeSource);
    await page.evaluate(`axe.configure(${JSON.stringify(coloursOfMarked)})`);
  }
  await page.evaluate(markLooks);
  // Without a list of all that is right, which takes most of the time on a long page, and without loading stylesheets again.
  const options = {
    resultTypes: ['violations'],
    selectors: false,
    elementRef: false,
    preload: false,
    ...(rules && { runOnly: rules }),
  };
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`);
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

/** The windows in which pages are tried; the last one is a phone. */
export const pageWidths = [1440, 768, 390];

/**
 * Holds that a page is accessible and no wider than the window, in each window and colour scheme. `picture`: a path without
 * ending; set, a picture of each is stored there.
 */
export async function assertShown(page: Page, name: string, picture = ''): Promise<void> {
  for (const width of pageWidths) {
    // Between a tablet and what is wider and narrower no colours differ.
    const hasColours = width !== 768;
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of ['light', 'dark'] as const) {
      const isDark = colorScheme === 'dark';
      if (isDark && !hasColours && picture === '') continue;
      await page.emulateMedia({ colorScheme });
      const view = `${name} ${width}-${colorScheme}`;
      const rules = [...(isDark ? [] : layoutRules), ...(hasColours ? colourRules : [])];
      assert.deepEqual(
        await axeFaults(page, width === pageWidths[0] && !isDark ? undefined : rules),
        [],
        view,
      );
      if (!isDark) assert.equal(await overflowOf(page), 0, view);
      if (picture !== '')
        await page.screenshot({ path: `${picture}-${width}-${colorScheme}.png`, fullPage: true });
    }
  }
}

/**
 * What a thumb misses on a phone, where a target is 44 px high: each control of the page that is lower. Links within a text are as high as
 * that.
 */
export const lowTargets = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('button, .button, summary, select, textarea, label, nav a, input')]
    .filter((each) => each.checkVisibility() && !each.closest('.unseen') && !/^(radio|checkbox)$/.test(each.type))
    .filter((each) => each.localName !== 'label' || each.querySelector('[type=radio], [type=checkbox]'))
    .map((each) => [each.outerHTML.slice(0, 120), each.getBoundingClientRect().height])
    .filter(([, height]) => height < 43.5)
    .map(([html, height]) => Math.round(height) + ' px: ' + html)`);
