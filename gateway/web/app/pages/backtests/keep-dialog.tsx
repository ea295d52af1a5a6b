import { useState } from 'preact/hooks';
import type { RoutePayload } from '../../client/routes.js';
import { useAction } from '../../client/use-action.js';
import { FormDialog } from '../../parts/form-dialog.js';
import { InputField } from '../../parts/input-field.js';
import { Labelled } from '../../parts/labelled.js';
import { fieldFault } from '../../parts/action-fault.js';

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
  const send = () =>
    save.run({ id, name, note: note.trim() === '' ? null : note, isKept: true }, () => {
      onSaved();
      onClose();
    });
  return (
    <FormDialog title="Keep this backtest" verb="Save" action={save} onSend={send} onClose={onClose}>
      <InputField
        label="Name"
        required
        maxLength={80}
        fault={fieldFault(save.error, 'name')}
        value={name}
        onChange={setName}
      />
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
    </FormDialog>
  );
}
