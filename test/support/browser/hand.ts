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

interface FoundElement {
  isConnected: boolean;
  matches: (selector: string) => boolean;
}

/** Brings the focus to something, such as a chart, by Tab alone, from where it is. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  // Found once: to find it by role and name reads the whole page, which takes longer than a Tab.
  let element = await target.elementHandle();
  for (let n = 0; n < mostTabs; n++) {
    const isFocused = await element.evaluate((it: FoundElement) =>
      it.isConnected ? it.matches(':focus') : null,
    );
    if (isFocused) return;
    if (isFocused === null) element = await target.elementHandle();
    else await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${String(target)}`);
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
