import type { AllHTMLAttributes, TargetedFocusEvent } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { AskError } from '../client/ask.js';
import { useAnswer } from '../client/use-answer.js';
import { type Choices, plainDecimal, Select } from './controls.js';
import { sentence } from './formats.js';
import { userEmail } from '../shell/session.js';

type Attributes = 'class' | 'list' | 'required' | 'readOnly' | 'maxLength' | 'min' | 'max' | 'step';

interface FieldProps extends Pick<AllHTMLAttributes<HTMLInputElement>, Attributes> {
  label: string;
  /** What it means, under the label. */
  hint?: string | undefined;
  /** What is wrong with what it holds. */
  fault?: string | undefined;
  value: string;
  onChange?: (value: string) => void;
  /** Values of which one is chosen. */
  options?: Choices<string>;
  /** How many lines it has, where it has several. */
  rows?: number;
  /** A decimal is text: so the service reads prices and quantities. */
  type?: 'number' | 'date' | 'decimal';
  onFocus?: (event: TargetedFocusEvent<HTMLInputElement>) => void;
  onKeyDown?: (event: KeyboardEvent) => void;
}

const decimal = { inputMode: 'decimal', autocomplete: 'off', maxLength: 40 } as const;

/** A field of a form with its label, and what is wrong with it at its place. It hears of each change while it is typed. */
export function InputField({ label, hint, fault, options, onChange, type, ...more }: FieldProps) {
  const id = useId();
  const said = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ') || undefined;
  const named = { id, 'aria-describedby': said, 'aria-invalid': fault ? (true as const) : undefined };
  // Which attributes an element takes is known only where the field is used.
  const attributes: object = {
    ...more,
    ...named,
    ...(type === 'decimal' ? decimal : { type }),
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) => onChange?.(currentTarget.value),
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {hint && (
        <p class="quiet hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {options ? (
        <Select {...named} value={more.value} options={options} onChange={(text) => onChange?.(text)} />
      ) : more.rows ? (
        <textarea {...attributes} spellcheck={more.class !== 'code'} />
      ) : (
        <input {...attributes} />
      )}
      {fault && (
        <p class="fault" id={`${id}-fault`}>
          ✗ {fault}
        </p>
      )}
    </div>
  );
}

/** What was typed in each field; an empty field is no zero. */
export type Typed = Readonly<Record<string, string>>;

/** A state that this tab keeps for its user when the page is loaded anew, or left and opened again. */
export function useKept<T>(name: string, first: T) {
  const key = `${name} ${userEmail.peek()}`;
  const [state, set] = useState(() => JSON.parse(sessionStorage.getItem(key) ?? JSON.stringify(first)) as T);
  useEffect(() => sessionStorage.setItem(key, JSON.stringify(state)), [state]);
  return [state, set] as const;
}

/** A field as data. */
export interface FieldSpec extends Omit<FieldProps, 'value' | 'onChange' | 'fault' | 'hint' | 'type'> {
  name: string;
  type?: FieldProps['type'] | 'asset';
  /** What stands in it at first. */
  value?: string;
  hint?: string | ((value: string) => string) | undefined;
}

interface FieldsProps {
  fields: readonly FieldSpec[];
  values: Typed;
  /** Hears of all values, and of the one that was typed. */
  onChange: (values: Typed, change: Typed) => void;
  /** Why they were refused. It is told at the field that it names, or at a part of whose value, which gets the focus. */
  error?: AskError | null;
  faultOf?: (name: string) => string | undefined;
}

/** What stands in each field before anything is typed. */
export const firstValues = (fields: readonly FieldSpec[]): Typed =>
  Object.fromEntries(fields.map(({ name, value = '' }) => [name, value]));

/** What was typed in these fields, without what is empty, decimals as the service reads them. */
export const givenOf = (fields: readonly FieldSpec[], typed: Typed): Typed =>
  Object.fromEntries(
    fields.flatMap(({ name, type }) => {
      const text = (typed[name] ?? '').trim();
      return text === '' ? [] : [[name, type === 'decimal' ? plainDecimal(text) : text]];
    }),
  );

/** Fields beside one another. An asset is given by its symbol; the browser proposes those that the service knows. */
export function InputFields({ fields, values, onChange, error, faultOf }: FieldsProps) {
  const list = useId();
  const place = useRef<HTMLDivElement>(null);
  const wrong = fields.find(({ name }) => name === error?.field?.split('.').at(-1))?.name;
  const focus = () => place.current!.querySelector<HTMLElement>('[aria-invalid]')!.focus();
  useEffect(() => void (wrong && focus()), [error]);
  const asksAsset = fields.some(({ type }) => type === 'asset');
  const { data } = useAnswer('GET /backend/analysis/list-assets', asksAsset ? {} : null);
  return (
    <div ref={place} class={wrong ? 'fields refused' : 'fields'}>
      {fields.map(({ name, hint, type, ...field }) => {
        const isAsset = type === 'asset';
        const value = values[name] ?? '';
        return (
          <InputField
            key={name}
            {...field}
            {...(isAsset ? { list, required: true, maxLength: 20 } : type && { type })}
            hint={typeof hint === 'function' ? hint(value) : hint}
            fault={name === wrong ? sentence(error!.message) : faultOf?.(name)}
            value={value}
            onChange={(text) => {
              const change = { [name]: isAsset ? text.toUpperCase() : text };
              onChange({ ...values, ...change }, change);
            }}
          />
        );
      })}
      {asksAsset && (
        <datalist id={list}>
          {data?.assets.map(({ asset, name }) => (
            <option key={asset} value={asset}>
              {name}
            </option>
          ))}
        </datalist>
      )}
    </div>
  );
}
