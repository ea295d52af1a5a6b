import { Select } from '../../parts/select.js';

interface DistanceFieldProps<Unit extends string> {
  label: string;
  units: Readonly<Record<Unit, string>>;
  value: { unit: Unit; value: number } | null;
  usual: { unit: Unit; value: number };
  onChange: (value: { unit: Unit; value: number } | null) => void;
}

/** A distance from the entry that can be left out. */
export const DistanceField = <Unit extends string>({
  label,
  units,
  value,
  usual,
  onChange,
}: DistanceFieldProps<Unit>) => (
  <div class="distance">
    <label>
      <input
        type="checkbox"
        checked={value !== null}
        onChange={({ currentTarget }) => onChange(currentTarget.checked ? usual : null)}
      />
      {label}
    </label>
    {value && (
      <>
        <input
          type="number"
          min="0"
          step="any"
          aria-label={label}
          value={value.value}
          onInput={({ currentTarget }) => onChange({ ...value, value: currentTarget.valueAsNumber || 0 })}
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
