import { useState } from 'preact/hooks';
import { useAction } from '../../client/use-action.js';
import { ActionFault } from '../../parts/action-fault.js';
import { AssetField } from '../../parts/asset-field.js';
import { Dialog } from '../../parts/dialog.js';
import { Labelled } from '../../parts/labelled.js';

interface PaperDialogProps {
  onClose: () => void;
  onAdded: () => void;
}

/** Adds to the paper account, which is made with the first holding. */
export function PaperDialog({ onClose, onAdded }: PaperDialogProps) {
  const [asset, setAsset] = useState('BTC');
  const [quantity, setQuantity] = useState('0.1');
  const add = useAction('POST /backend/exchanges');
  const send = (event: Event) => {
    event.preventDefault();
    add.run({ exchange: 'PAPER', holdings: [{ asset, quantity }] }, () => {
      onAdded();
      onClose();
    });
  };
  return (
    <Dialog title="Add a paper holding" onClose={onClose}>
      <p class="quiet">Paper money: prices are real, nothing is bought.</p>
      <form onSubmit={send}>
        <AssetField value={asset} onChange={setAsset} />
        <Labelled
          label="Quantity"
          fault={add.error?.field?.includes('quantity') ? add.error.message : undefined}
        >
          {(attributes) => (
            <input
              {...attributes}
              inputMode="decimal"
              required
              pattern="[0-9]+(\.[0-9]+)?"
              value={quantity}
              onInput={({ currentTarget }) => setQuantity(currentTarget.value)}
            />
          )}
        </Labelled>
        <button type="submit" disabled={add.isRunning}>
          Add
        </button>
        <ActionFault error={add.error} />
      </form>
    </Dialog>
  );
}
