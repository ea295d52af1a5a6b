import { useState } from 'preact/hooks';
import { useAction } from '../../client/use-action.js';
import { AssetField } from '../../parts/asset-field.js';
import { FormDialog } from '../../parts/form-dialog.js';
import { DecimalField } from '../../parts/input-field.js';
import { fieldFault } from '../../parts/action-fault.js';

interface PaperDialogProps {
  onClose: () => void;
  onAdded: () => void;
}

/** Adds to the paper account, which is made with the first holding. */
export function PaperDialog({ onClose, onAdded }: PaperDialogProps) {
  const [asset, setAsset] = useState('BTC');
  const [quantity, setQuantity] = useState('0.1');
  const add = useAction('POST /backend/exchanges');
  const send = () =>
    add.run({ exchange: 'PAPER', holdings: [{ asset, quantity }] }, () => {
      onAdded();
      onClose();
    });
  return (
    <FormDialog title="Add a paper holding" verb="Add" action={add} onSend={send} onClose={onClose}>
      <p class="quiet">Paper money: prices are real, nothing is bought.</p>
      <AssetField value={asset} onChange={setAsset} fault={fieldFault(add.error, 'asset')} />
      <DecimalField
        label="Quantity"
        fault={fieldFault(add.error, 'quantity')}
        required
        pattern="[0-9]+(\.[0-9]+)?"
        value={quantity}
        onChange={setQuantity}
      />
    </FormDialog>
  );
}
