import { CheckField, Select } from '../../parts/controls.js';

interface DistanceFieldProps {
  label: string;
  units: Readonly<Record<string, string>>;
  value: Distance | null;
  /** In percent, when it is chosen. */
  usual: number;
  onChange: (value: Distance | null) => void;
}

interface Distance {
  unit: string;
  /** As it is typed: an empty field is no zero. */
  value: string;
}

/** A distance from the entry that can be left out. */
export const DistanceField = ({ label, units, value, usual, onChange }: DistanceFieldProps) => (
  <div class="distance">
    <CheckField
      isChecked={value !== null}
      onChange={(isChecked) => onChange(isChecked ? { unit: 'percent', value: String(usual) } : null)}
    >
      {label}
    </CheckField>
    {value && (
      <>
        <input
          type="number"
          min="0"
          step="any"
          aria-label={label}
          value={value.value}
          onInput={({ currentTarget }) => onChange({ ...value, value: currentTarget.value })}
        />
        <Select
          aria-label={`${label}: unit`}
          value={value.unit}
          options={units}
          onChange={(unit) => onChange({ ...value, unit })}
        />
      </>
    )}
  </div>
);
