import { useState } from 'preact/hooks';
import type { RoutePayload } from '../../client/routes.js';
import { FormDialog } from '../../parts/form-dialog.js';
import { InputField, TextField } from '../../parts/input-field.js';

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
  return (
    <FormDialog
      title="Keep this backtest"
      verb="Save"
      route="PATCH /backend/backtests/{id}"
      input={{ id, name, note: note.trim() === '' ? null : note, isKept: true }}
      onDone={onSaved}
      onClose={onClose}
    >
      {(fault) => (
        <>
          <InputField
            label="Name"
            required
            maxLength={80}
            fault={fault('name')}
            value={name}
            onChange={setName}
          />
          <TextField
            label="Note"
            hint="Only you see it"
            rows={3}
            maxLength={500}
            value={note}
            onChange={setNote}
          />
        </>
      )}
    </FormDialog>
  );
}
