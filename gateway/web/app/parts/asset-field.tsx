import { useId } from 'preact/hooks';
import { useAnswer } from '../client/use-answer.js';
import { Labelled } from './labelled.js';

interface AssetFieldProps {
  value: string;
  onChange: (asset: string) => void;
  fault?: string | undefined;
}

/** An asset, by its symbol; the browser proposes those that the service knows. */
export function AssetField({ value, onChange, fault }: AssetFieldProps) {
  const list = useId();
  const { data } = useAnswer('GET /backend/analysis/list-assets', {});
  return (
    <Labelled label="Asset" fault={fault}>
      {(attributes) => (
        <>
          <input
            {...attributes}
            list={list}
            required
            maxLength={20}
            value={value}
            autocomplete="off"
            onInput={({ currentTarget }) => onChange(currentTarget.value.toUpperCase())}
          />
          <datalist id={list}>
            {data?.assets.map(({ asset, name }) => (
              <option key={asset} value={asset}>
                {name}
              </option>
            ))}
          </datalist>
        </>
      )}
    </Labelled>
  );
}
