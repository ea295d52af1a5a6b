import { element } from './element.js';
import { confirmAction } from './confirm-action.js';

export interface ActionButton {
  text: string;
  /** What it acts on, for those who do not see where the button stands. */
  label: string;
  /** Asked before it acts. */
  question?: string;
  isDisabled?: boolean;
  act: () => Promise<void>;
}

/** A button that can't be pressed again before its action has ended. */
export function actionButton({
  text,
  label,
  question,
  isDisabled = false,
  act,
}: ActionButton): HTMLButtonElement {
  const button = element('button', text, { type: 'button', 'aria-label': label });
  button.disabled = isDisabled;
  let isActing = false;
  const press = async (): Promise<void> => {
    if (question !== undefined && !(await confirmAction(question, text))) return;
    // Not disabled: that would take the focus away, and make it another button than the next poll makes.
    isActing = true;
    await act().finally(() => (isActing = false));
  };
  button.addEventListener('click', () => {
    if (!isActing) void press();
  });
  return button;
}
