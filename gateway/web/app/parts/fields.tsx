import type { InputHTMLAttributes, TargetedFocusEvent } from 'preact';
import { useId } from 'preact/hooks';
import { useAnswer } from '../client/use-answer.js';
import { type Choices, Select } from './controls.js';

interface FieldProps<T extends string> {
  label: string;
  /** What it means, under the label. */
  hint?: string | undefined;
  /** What is wrong with what it holds. */
  fault?: string | undefined;
  value: T;
  onChange?: (value: T) => void;
  /** Values of which one is chosen. */
  options?: Choices<T>;
  /** How many lines it has, where it has several. */
  rows?: number;
  /** A decimal is text: so the service reads prices and quantities. */
  type?: 'number' | 'date' | 'decimal';
  class?: string;
  list?: string;
  required?: boolean;
  readOnly?: boolean;
  maxLength?: number;
  min?: number;
  max?: number;
  step?: number | 'any';
  onFocus?: (event: TargetedFocusEvent<HTMLInputElement>) => void;
  onKeyDown?: (event: KeyboardEvent) => void;
}

/** A field of a form with its label, and what is wrong with it at its place. It hears of each change while it is typed. */
export function InputField<T extends string>({ label, hint, fault, ...control }: FieldProps<T>) {
  const id = useId();
  const said = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {hint && (
        <p class="quiet hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <Control
        {...control}
        id={id}
        aria-describedby={said || undefined}
        aria-invalid={fault ? true : undefined}
      />
      {fault && (
        <p class="fault" id={`${id}-fault`}>
          ✗ {fault}
        </p>
      )}
    </div>
  );
}

const decimal = { inputMode: 'decimal', autocomplete: 'off', maxLength: 40 } as const;

type ControlProps<T extends string> = Omit<FieldProps<T>, 'label' | 'hint' | 'fault'> & {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
};

function Control<T extends string>({ options, onChange, type, ...more }: ControlProps<T>) {
  const change = (text: string) => onChange?.(text as T);
  if (options) return <Select {...more} options={options} onChange={change} />;
  // The types of attributes differ by the type of the input, which is known only where the field is used.
  const attributes = {
    ...more,
    ...(type === 'decimal' ? decimal : { type }),
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) => change(currentTarget.value),
  } as object as InputHTMLAttributes<HTMLInputElement>;
  if (more.rows === undefined) return <input {...attributes} />;
  return <textarea {...(attributes as object)} spellcheck={more.class !== 'code'} />;
}

type AssetFieldProps = Pick<FieldProps<string>, 'fault' | 'value'> & { onChange: (asset: string) => void };

/** An asset, by its symbol; the browser proposes those that the service knows. */
export function AssetField({ onChange, ...shown }: AssetFieldProps) {
  const list = useId();
  const { data } = useAnswer('GET /backend/analysis/list-assets', {});
  return (
    <>
      <InputField
        label="Asset"
        list={list}
        required
        maxLength={20}
        {...shown}
        onChange={(text) => onChange(text.toUpperCase())}
      />
      <datalist id={list}>
        {data?.assets.map(({ asset, name }) => (
          <option key={asset} value={asset}>
            {name}
          </option>
        ))}
      </datalist>
    </>
  );
}

/** What was typed in each field; an empty field is no zero. */
export type Typed = Readonly<Record<string, string>>;

/** A field as data. */
export interface FieldSpec extends Omit<
  FieldProps<string>,
  'value' | 'onChange' | 'fault' | 'hint' | 'type'
> {
  name: string;
  type?: FieldProps<string>['type'] | 'asset';
  /** What stands in it at first. */
  value?: string;
  hint?: string | ((value: string) => string) | undefined;
}

interface FieldsProps {
  fields: readonly FieldSpec[];
  values: Typed;
  onChange: (values: Typed) => void;
  faultOf: (name: string) => string | undefined;
}

/** What stands in each field before anything is typed. */
export const firstValues = (fields: readonly FieldSpec[]): Typed =>
  Object.fromEntries(fields.map(({ name, value = '' }) => [name, value]));

/** InputFields beside one another. */
export const InputFields = ({ fields, values, onChange, faultOf }: FieldsProps) => (
  <div class="fields">
    {fields.map(({ name, hint, type, ...field }) => {
      const value = values[name] ?? '';
      const change = (text: string) => onChange({ ...values, [name]: text });
      const shared = { fault: faultOf(name), value, onChange: change };
      if (type === 'asset') return <AssetField key={name} {...shared} />;
      const said = typeof hint === 'function' ? hint(value) : hint;
      return <InputField key={name} {...field} {...(type && { type })} {...shared} hint={said} />;
    })}
  </div>
);
