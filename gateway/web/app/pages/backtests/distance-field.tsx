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
        <select
          aria-label={`${label}: unit`}
          value={value.unit}
          onChange={({ currentTarget }) => onChange({ ...value, unit: currentTarget.value as Unit })}
        >
          {(Object.entries(units) as [Unit, string][]).map(([unit, text]) => (
            <option key={unit} value={unit}>
              {text}
            </option>
          ))}
        </select>
      </>
    )}
  </div>
);
