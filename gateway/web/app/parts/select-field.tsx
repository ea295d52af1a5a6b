import { Labelled } from './labelled.js';

interface SelectFieldProps<T extends string> {
  label: string;
  value: T;
  /** The values, or what each is called. */
  options: readonly T[] | Readonly<Record<T, string>>;
  onChange: (value: T) => void;
  hint?: string | undefined;
  fault?: string | undefined;
}

/** One of several values. */
export function SelectField<T extends string>({
  label,
  value,
  options,
  onChange,
  ...said
}: SelectFieldProps<T>) {
  const entries = Array.isArray(options)
    ? (options as readonly T[]).map((each) => [each, each] as const)
    : (Object.entries(options) as [T, string][]);
  return (
    <Labelled label={label} {...said}>
      {(attributes) => (
        <select
          {...attributes}
          value={value}
          onChange={({ currentTarget }) => onChange(currentTarget.value as T)}
        >
          {entries.map(([each, text]) => (
            <option key={each} value={each}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}
