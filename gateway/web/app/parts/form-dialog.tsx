import type { ComponentChildren } from 'preact';
import type { AskError } from '../client/ask-error.js';
import { ActionFault } from './action-fault.js';
import { Dialog } from './dialog.js';

interface FormDialogProps {
  title: string;
  /** What it asks for, or what it touches: asset, amount, exchange. */
  children: ComponentChildren;
  /** The word on the button that does it. */
  verb: string;
  /** Whether something is ordered, closed or deleted. */
  isDanger?: boolean;
  action: { isRunning: boolean; error: AskError | null };
  onSend: () => void;
  onClose: () => void;
}

/** Asks once before something is sent, which can't be sent twice. */
export const FormDialog = ({ title, children, verb, isDanger, action, onSend, onClose }: FormDialogProps) => (
  <Dialog title={title} onClose={onClose}>
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSend();
      }}
    >
      {children}
      <p class="actions">
        <button type="submit" class={isDanger ? 'danger' : undefined} disabled={action.isRunning}>
          {verb}
        </button>
      </p>
      <ActionFault error={action.error} />
    </form>
  </Dialog>
);
