import type { Locator, Page } from 'playwright-core';

/** How a person works a page. A test that takes a hand runs with the mouse and with the keyboard alone. */
export interface Hand {
  name: 'mouse' | 'keyboard';
  /** Activates a link or a button. */
  press: (target: Locator) => Promise<void>;
  /** Replaces the text of a field. */
  write: (field: Locator, text: string) => Promise<void>;
  /** Chooses an option of a list by its text. */
  choose: (list: Locator, text: string) => Promise<void>;
  /** Chooses one of a group of radio buttons. */
  pick: (radio: Locator) => Promise<void>;
  /** Brings the focus to what is no control, such as a chart. */
  reach: (target: Locator) => Promise<void>;
}

export const mouse = (): Hand => ({
  name: 'mouse',
  press: (target) => target.click(),
  write: (field, text) => field.fill(text),
  choose: async (list, text) => void (await list.selectOption({ label: text })),
  pick: (radio) => radio.check(),
  reach: (target) => target.focus(),
});

const mostTabs = 250;

interface SeenElement {
  matches: (selector: string) => boolean;
  isConnected: boolean;
}

/** Works with Tab, Enter, Space, arrows and letters alone: what Tab does not reach fails. */
export function keyboard(page: Page): Hand {
  const { keyboard: keys } = page;
  const reach = async (target: Locator) => {
    await target.waitFor();
    // Looked up once: to find an element by its role and name costs more than all else here.
    let element = await target.elementHandle();
    for (let tabs = 0; tabs < mostTabs; tabs++) {
      const seen = await element.evaluate((each: SeenElement) => [each.matches(':focus'), each.isConnected]);
      if (seen[0]) return;
      if (seen[1]) await keys.press('Tab');
      else element = await target.elementHandle();
    }
    throw new Error(`${mostTabs} times Tab do not lead to ${String(target)}`);
  };
  return {
    name: 'keyboard',
    reach,
    async press(target) {
      await reach(target);
      await keys.press('Enter');
    },
    async write(field, text) {
      await reach(field);
      await keys.press('ControlOrMeta+a');
      await keys.type(text);
    },
    async choose(list, text) {
      await reach(list);
      await keys.type(text);
    },
    async pick(radio) {
      // Tab leads to the chosen one of a group; arrows lead from there to the others.
      const group = radio.locator('xpath=ancestor::fieldset');
      await reach(group.locator('input:checked'));
      while (!(await radio.isChecked())) await keys.press('ArrowDown');
    },
  };
}
