import { useId } from 'preact/hooks';

interface ChoiceProps<T extends string> {
  label: string;
  value: T;
  options: readonly T[] | Readonly<Record<T, string>>;
  onChange: (value: T) => void;
}

/** One of a few values, all of them seen at once. */
export function Choice<T extends string>({ label, value, options, onChange }: ChoiceProps<T>) {
  const id = useId();
  const entries = Array.isArray(options)
    ? (options as readonly T[]).map((each) => [each, each] as const)
    : (Object.entries(options) as [T, string][]);
  return (
    <fieldset class="choice">
      <legend class="unseen">{label}</legend>
      {entries.map(([each, text]) => (
        <label key={each}>
          <input type="radio" name={id} checked={each === value} onChange={() => onChange(each)} />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  );
}
