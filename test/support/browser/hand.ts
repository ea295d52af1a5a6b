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
  /** Brings the focus to something, such as a chart, as Tab does: from the control behind it one goes back to it. */
  reach: (target: Locator) => Promise<void>;
}

/**
 * Works with Tab, Enter, Space, arrows and letters alone: what Tab does not reach fails, and so does a control that a mouse
 * could not hit, because it is hidden, moves, is disabled or lies below something else.
 */
export function handOf(page: Page): Hand {
  const { keyboard: keys } = page;
  const reach = async (target: Locator) => {
    await target.focus();
    await keys.press('Tab');
    await keys.press('Shift+Tab');
    if (
      !(await target.evaluate((element: { matches: (selector: string) => boolean }) =>
        element.matches(':focus'),
      ))
    )
      throw new Error(`Shift+Tab from the control behind it does not lead to ${String(target)}`);
  };
  return {
    reach,
    async press(target) {
      await reach(target);
      await target.click({ trial: true });
      await keys.press('Enter');
    },
    async write(field, text) {
      await reach(field);
      await field.click({ trial: true });
      await keys.press('ControlOrMeta+a');
      await keys.type(text);
    },
    async choose(list, text) {
      await reach(list);
      await list.click({ trial: true });
      await keys.type(text);
    },
    async pick(radio) {
      // Tab leads to the chosen one of a group; arrows lead from there to the others.
      const group = radio.locator('xpath=ancestor::fieldset');
      await reach(group.locator('input:checked'));
      await radio.check({ trial: true });
      while (!(await radio.isChecked())) await keys.press('ArrowDown');
    },
  };
}
