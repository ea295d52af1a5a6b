import { useState } from 'preact/hooks';
import type { RoutePayload } from '../../client/routes.js';
import { useAction } from '../../client/use-action.js';
import { ActionFault } from '../../parts/action-fault.js';
import { Dialog } from '../../parts/dialog.js';
import { Labelled } from '../../parts/labelled.js';

interface KeepDialogProps {
  report: RoutePayload<'GET /backend/backtests/{id}'>;
  onClose: () => void;
  onSaved: () => void;
}

/** Names a backtest and keeps it; one that is not kept expires. */
export function KeepDialog({ report, onClose, onSaved }: KeepDialogProps) {
  const { id, strategy, asset, name: known, note: knownNote } = report;
  const [name, setName] = useState(known ?? `${strategy} on ${asset}`);
  const [note, setNote] = useState(knownNote ?? '');
  const save = useAction('PATCH /backend/backtests/{id}');
  const send = (event: Event) => {
    event.preventDefault();
    save.run({ id, name, note: note.trim() === '' ? null : note, isKept: true }, () => {
      onSaved();
      onClose();
    });
  };
  return (
    <Dialog title="Keep this backtest" onClose={onClose}>
      <form onSubmit={send}>
        <Labelled label="Name">
          {(attributes) => (
            <input
              {...attributes}
              required
              maxLength={80}
              value={name}
              onInput={({ currentTarget }) => setName(currentTarget.value)}
            />
          )}
        </Labelled>
        <Labelled label="Note" hint="Only you see it">
          {(attributes) => (
            <textarea
              {...attributes}
              rows={3}
              maxLength={500}
              value={note}
              onInput={({ currentTarget }) => setNote(currentTarget.value)}
            />
          )}
        </Labelled>
        <p class="actions">
          <button type="submit" disabled={save.isRunning}>
            Save
          </button>
        </p>
        <ActionFault error={save.error} />
      </form>
    </Dialog>
  );
}
