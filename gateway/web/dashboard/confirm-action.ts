import { byId } from './element.js';

const questionDialog = (): HTMLDialogElement => byId('confirm') as HTMLDialogElement;

/** Asks before an action that cannot be taken back. Answers whether to do it; Escape means no. Focus goes back afterwards. */
export function confirmAction(question: string, action: string): Promise<boolean> {
  const dialog = questionDialog();
  byId('confirm-question').textContent = question;
  byId('confirm-yes').textContent = action;
  byId('confirm-yes').onclick = () => dialog.close('yes');
  byId('confirm-no').onclick = () => dialog.close('no');
  // Escape leaves the value as it is.
  dialog.returnValue = 'no';
  dialog.showModal();
  byId('confirm-no').focus();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'yes'), { once: true });
  });
}

/** Closes a question that is open; its answer is no. */
export const closeQuestion = (): void => questionDialog().close('no');
