import type { Locator, Page } from 'playwright-core';

/** How a person works a page. */
export interface Hand {
  /** Activates a link or a button. */
  press: (target: Locator) => Promise<void>;
  /** Replaces the text of a field. */
  write: (field: Locator, text: string) => Promise<void>;
  /** Chooses an option of a list by its text. */
  choose: (list: Locator, text: string) => Promise<void>;
  /** Chooses one of a group of radio buttons. */
  pick: (radio: Locator) => Promise<void>;
}

export const ways = ['keyboard', 'mouse'] as const;

export const handOf = (page: Page, way: (typeof ways)[number]): Hand =>
  way === 'keyboard' ? keyboardOf(page) : mouseOf(page);

/** No page has so many controls. */
const mostTabs = 400;
/** How many go before a look at where the focus is: more in one frame, which is drawn once. */
const tabsAtOnce = 8;

/** Brings the focus to something, such as a chart, by Tab alone, from where it is. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  // Found once: to find it by role and name reads the whole page, which takes longer than a Tab.
  let element = await target.elementHandle();
  for (let n = 0; n < mostTabs; n += tabsAtOnce) {
    const isFocused = await element.evaluate(stopTabsAt);
    if (isFocused) return;
    if (isFocused === null) element = await target.elementHandle();
    else await Promise.all(Array.from({ length: tabsAtOnce }, () => page.keyboard.press('Tab')));
  }
  throw new Error(`Tab does not lead to ${String(target)}`);
}

interface FoundElement {
  isConnected: boolean;
  matches: (selector: string) => boolean;
  ownerDocument: EventTarget & { stopTabs?: FoundElement | undefined; stopsTabs?: true };
}

/**
 * Whether the element has the focus; null for one that is gone. Tabs that come when it has are dropped until it was asked again. Runs in the
 * page.
 */
function stopTabsAt(element: FoundElement): boolean | null {
  const page = element.ownerDocument;
  const stop = (event: Event & { key?: string }) => {
    if (event.key !== 'Tab' || !page.stopTabs?.matches(':focus')) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  if (!page.stopsTabs) page.addEventListener('keydown', stop, { capture: true });
  page.stopsTabs = true;
  const isFocused = element.isConnected ? element.matches(':focus') : null;
  page.stopTabs = isFocused === false ? element : undefined;
  return isFocused;
}

/** Works with Tab, Enter, Space, arrows and letters alone: what Tab does not reach fails. */
function keyboardOf(page: Page): Hand {
  const { keyboard: keys } = page;
  return {
    async press(target) {
      await tabTo(page, target);
      await keys.press('Enter');
    },
    async write(field, text) {
      await tabTo(page, field);
      await keys.press('ControlOrMeta+a');
      await keys.type(text);
    },
    async choose(list, text) {
      await tabTo(page, list);
      await keys.type(text);
    },
    async pick(radio) {
      // Tab leads to the chosen one of a group; arrows lead from there to the others.
      await tabTo(page, radio.locator('xpath=ancestor::fieldset').locator('input:checked'));
      while (!(await radio.isChecked())) await keys.press('ArrowDown');
    },
  };
}

/** Works with a mouse, which hits no control that is hidden, moves, is disabled or lies below something else; and letters. */
const mouseOf = ({ keyboard: keys }: Page): Hand => ({
  press: (target) => target.click(),
  async write(field, text) {
    await field.click({ clickCount: 3 });
    await keys.press('ControlOrMeta+a');
    await keys.type(text);
  },
  choose: async (list, text) => void (await list.selectOption({ label: text })),
  pick: (radio) => radio.check(),
});
