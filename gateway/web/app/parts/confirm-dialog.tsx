import type { ComponentChildren } from 'preact';
import type { AskError } from '../client/ask-error.js';
import { ActionFault } from './action-fault.js';
import { Dialog } from './dialog.js';

interface ConfirmDialogProps {
  title: string;
  /** What it touches: asset, amount, exchange. */
  children: ComponentChildren;
  /** The word on the button that does it. */
  verb: string;
  isRunning: boolean;
  error: AskError | null;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks once before something is ordered, closed or deleted; it can't be sent twice. */
export const ConfirmDialog = ({
  title,
  children,
  verb,
  isRunning,
  error,
  onConfirm,
  onClose,
}: ConfirmDialogProps) => (
  <Dialog title={title} onClose={onClose}>
    {children}
    <p class="actions">
      <button type="button" class="danger" disabled={isRunning} onClick={onConfirm}>
        {verb}
      </button>
    </p>
    <ActionFault error={error} />
  </Dialog>
);
