import { useState } from 'preact/hooks';
import { AssetField } from '../../parts/asset-field.js';
import { FormDialog } from '../../parts/form-dialog.js';
import { DecimalField } from '../../parts/input-field.js';

interface PaperDialogProps {
  onClose: () => void;
  onAdded: () => void;
}

/** Adds to the paper account, which is made with the first holding. */
export function PaperDialog({ onClose, onAdded }: PaperDialogProps) {
  const [asset, setAsset] = useState('BTC');
  const [quantity, setQuantity] = useState('0.1');
  return (
    <FormDialog
      title="Add a paper holding"
      verb="Add"
      route="POST /backend/exchanges"
      input={{ exchange: 'PAPER', holdings: [{ asset, quantity }] }}
      onDone={onAdded}
      onClose={onClose}
    >
      {(fault) => (
        <>
          <p class="quiet">Paper money: prices are real, nothing is bought.</p>
          <AssetField value={asset} onChange={setAsset} fault={fault('asset')} />
          <DecimalField
            label="Quantity"
            fault={fault('quantity')}
            required
            pattern="[0-9]+(\.[0-9]+)?"
            value={quantity}
            onChange={setQuantity}
          />
        </>
      )}
    </FormDialog>
  );
}
