import type { InputHTMLAttributes, TargetedFocusEvent } from 'preact';
import { Labelled } from './labelled.js';

interface InputFieldProps {
  label: string;
  hint?: string | undefined;
  fault?: string | undefined;
  value: string | number;
  type?: 'text' | 'number' | 'date';
  inputMode?: 'decimal';
  autocomplete?: 'off';
  required?: boolean;
  readOnly?: boolean;
  maxLength?: number;
  pattern?: string;
  min?: number;
  max?: number;
  step?: number | 'any';
  onChange?: (text: string) => void;
  onFocus?: (event: TargetedFocusEvent<HTMLInputElement>) => void;
}

/** A field of one line that hears of each change while it is typed. */
export const InputField = ({ label, hint, fault, onChange, ...more }: InputFieldProps) => (
  <Labelled label={label} hint={hint} fault={fault}>
    {(attributes) => (
      <input
        {...attributes}
        // The types of attributes differ by the type of the input, which is known only where the field is used.
        {...(more as InputHTMLAttributes<HTMLInputElement>)}
        onInput={({ currentTarget }) => onChange?.(currentTarget.value)}
      />
    )}
  </Labelled>
);

/** A price or quantity as text: the service reads decimals. */
export const DecimalField = (props: InputFieldProps) => (
  <InputField inputMode="decimal" autocomplete="off" maxLength={40} {...props} />
);

interface TextFieldProps extends Pick<
  InputFieldProps,
  'label' | 'hint' | 'fault' | 'maxLength' | 'required'
> {
  value: string;
  rows: number;
  class?: string;
  onChange: (text: string) => void;
  onKeyDown?: (event: KeyboardEvent) => void;
}

/** A field of several lines. */
export const TextField = ({ label, hint, fault, onChange, ...more }: TextFieldProps) => (
  <Labelled label={label} hint={hint} fault={fault}>
    {(attributes) => (
      <textarea
        {...attributes}
        {...more}
        spellcheck={more.class !== 'code'}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    )}
  </Labelled>
);
