import { useId } from 'preact/hooks';
import { choiceEntries, type Choices } from './select.js';

interface ChoiceProps<T extends string> {
  label: string;
  value: T;
  options: Choices<T>;
  onChange: (value: T) => void;
}

/** One of a few values, all of them seen at once. */
export function Choice<T extends string>({ label, value, options, onChange }: ChoiceProps<T>) {
  const id = useId();
  return (
    <fieldset class="choice">
      <legend class="unseen">{label}</legend>
      {choiceEntries(options).map(([each, text]) => (
        <label key={each}>
          <input type="radio" name={id} checked={each === value} onChange={() => onChange(each)} />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  );
}
