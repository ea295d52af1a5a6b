import { useEffect, useState } from 'preact/hooks';
import { useAction } from '../../client/use-action.js';
import { ActionFault } from '../../parts/states.js';
import { Button } from '../../parts/controls.js';
import { Dialog } from '../../parts/dialogs.js';
import { InputField } from '../../parts/fields.js';

/** The link at which everybody reads the report, without its owner and notes. */
export function ShareDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const shared = useAction('POST /backend/backtests/{id}/share');
  const stop = useAction('DELETE /backend/backtests/{id}/share');
  const [said, say] = useState('');
  useEffect(() => shared.run({ id }), []);
  const link = shared.done && new URL(shared.done.url, location.origin).href;
  const copy = async () =>
    say(
      await navigator.clipboard.writeText(link!).then(
        () => 'Copied',
        () => 'Select the link and copy it',
      ),
    );
  return (
    <Dialog title="Share this backtest" onClose={onClose}>
      {link && (
        <>
          <p>Everybody with this link can read the report. Your name and notes are not in it.</p>
          <InputField
            label="Link"
            readOnly
            value={link}
            onFocus={({ currentTarget }) => currentTarget.select()}
          />
          <p class="actions">
            {'clipboard' in navigator && (
              <Button class="" onClick={() => void copy()}>
                Copy link
              </Button>
            )}
            <Button class="plain" disabled={stop.isRunning} onClick={() => stop.run({ id }, onClose)}>
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
