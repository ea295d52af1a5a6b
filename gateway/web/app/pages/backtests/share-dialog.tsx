import { useEffect, useState } from 'preact/hooks';
import type { RoutePayload } from '../../client/routes.js';
import { useAction } from '../../client/use-action.js';
import { ActionFault } from '../../parts/action-fault.js';
import { Dialog } from '../../parts/dialog.js';
import { InputField } from '../../parts/input-field.js';

interface ShareDialogProps {
  report: RoutePayload<'GET /backend/backtests/{id}'>;
  onClose: () => void;
  onChanged: () => void;
}

/** The link at which everybody reads the report, without its owner and notes. */
export function ShareDialog({ report: { id }, onClose, onChanged }: ShareDialogProps) {
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
              <button type="button" onClick={() => void copy()}>
                Copy link
              </button>
            )}
            <button
              type="button"
              class="plain"
              disabled={stop.isRunning}
              onClick={() =>
                stop.run({ id }, () => {
                  onChanged();
                  onClose();
                })
              }
            >
              Stop sharing
            </button>
            <span role="status">{said}</span>
          </p>
        </>
      )}
      <ActionFault error={shared.error ?? stop.error} />
    </Dialog>
  );
}
