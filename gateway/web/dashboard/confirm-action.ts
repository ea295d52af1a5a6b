import { byId } from './element.js';

/** Asks before an action that cannot be taken back. Answers whether to do it; Escape means no. Focus goes back afterwards. */
export function confirmAction(question: string, action: string): Promise<boolean> {
  const dialog = byId('confirm') as HTMLDialogElement;
  const yes = byId('confirm-yes');
  byId('confirm-question').textContent = question;
  yes.textContent = action;
  return new Promise((resolve) => {
    const controller = new AbortController();
    const { signal } = controller;
    const end = (isWanted: boolean) => {
      controller.abort();
      dialog.close();
      resolve(isWanted);
    };
    yes.addEventListener('click', () => end(true), { signal });
    byId('confirm-no').addEventListener('click', () => end(false), { signal });
    dialog.addEventListener('cancel', () => end(false), { signal });
    dialog.showModal();
    byId('confirm-no').focus();
  });
}
