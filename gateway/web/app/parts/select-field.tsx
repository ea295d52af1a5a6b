import { Labelled } from './labelled.js';
import { Select, type Choices } from './select.js';

interface SelectFieldProps<T extends string> {
  label: string;
  value: T;
  options: Choices<T>;
  onChange: (value: T) => void;
  hint?: string | undefined;
  fault?: string | undefined;
}

/** One of several values, with its label. */
export const SelectField = <T extends string>({ label, hint, fault, ...select }: SelectFieldProps<T>) => (
  <Labelled {...{ label, hint, fault }}>{(attributes) => <Select {...attributes} {...select} />}</Labelled>
);
