import { useEffect, useState } from 'preact/hooks';
import { useAction } from '../../client/use-action.js';
import { ActionFault } from '../../parts/panel.js';
import { Button } from '../../parts/controls.js';
import { Dialog } from '../../parts/dialogs.js';
import { Field } from '../../parts/fields.js';

interface ShareDialogProps {
  id: string;
  onClose: () => void;
  onChanged: () => void;
}

/** The link at which everybody reads the report, without its owner and notes. */
export function ShareDialog({ id, onClose, onChanged }: ShareDialogProps) {
  const shared = useAction('POST /backend/backtests/{id}/share');
  const stop = useAction('DELETE /backend/backtests/{id}/share');
  const [said, say] = useState('');
  useEffect(() => shared.run({ id }, onChanged), []);
  const link = shared.done && new URL(shared.done.url, location.origin).href;
  const copy = async () =>
    say(
      await navigator.clipboard.writeText(link!).then(
        () => 'Copied',
        () => 'Select the link and copy it',
      ),
    );
  const end = () => {
    onChanged();
    onClose();
  };
  return (
    <Dialog title="Share this backtest" onClose={onClose}>
      {link && (
        <>
          <p>Everybody with this link can read the report. Your name and notes are not in it.</p>
          <Field label="Link" readOnly value={link} onFocus={({ currentTarget }) => currentTarget.select()} />
          <p class="actions">
            {'clipboard' in navigator && (
              <Button class="" onClick={() => void copy()}>
                Copy link
              </Button>
            )}
            <Button class="plain" disabled={stop.isRunning} onClick={() => stop.run({ id }, end)}>
              Stop sharing
            </Button>
            <span role="status">{said}</span>
          </p>
        </>
      )}
      <ActionFault error={shared.error ?? stop.error} />
    </Dialog>
  );
}
