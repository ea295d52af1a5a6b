import { signal, type ReadonlySignal } from '@preact/signals';
import type { AllHTMLAttributes, ButtonHTMLAttributes, ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

/** Whether the window is now as a media query says. */
export function mediaSignal(query: string): ReadonlySignal<boolean> {
  const list = matchMedia(query);
  const state = signal(list.matches);
  list.addEventListener('change', ({ matches }) => (state.value = matches));
  return state;
}

/** A button that sends no form. */
export const Button = ({ class: kind = 'plain small', ...more }: ButtonHTMLAttributes) => (
  <button type="button" class={kind} {...more} />
);

/** Values to choose from, or what each is called. */
export type Choices<T extends string> = readonly T[] | Readonly<Record<T, string>>;

const entriesOf = <T extends string>(options: Choices<T>) =>
  (Array.isArray(options) ? options.map((each) => [each, each]) : Object.entries(options)) as [T, string][];

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
      {entriesOf(options).map(([each, text]) => (
        <label key={each}>
          <input type="radio" name={id} checked={each === value} onChange={() => onChange(each)} />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  );
}

type SideChoiceProps = Pick<ChoiceProps<'long' | 'short'>, 'value' | 'onChange'>;

/** The side of a trade. */
export const SideChoice = (props: SideChoiceProps) => (
  <Choice label="Side" options={['long', 'short']} {...props} />
);

interface SelectProps<T extends string> extends Omit<ChoiceProps<T>, 'label'> {
  id?: string;
  'aria-label'?: string;
}

/** A list of which one is chosen. */
export const Select = <T extends string>({ options, onChange, ...attributes }: SelectProps<T>) => (
  <select {...attributes} onChange={({ currentTarget }) => onChange(currentTarget.value as T)}>
    {entriesOf(options).map(([each, text]) => (
      <option key={each} value={each}>
        {text}
      </option>
    ))}
  </select>
);

/** A list with this one, or without it where it was there. */
export const toggled = (list: readonly string[], one: string): string[] =>
  list.includes(one) ? list.filter((each) => each !== one) : [...list, one];

interface CheckFieldProps {
  isChecked: boolean;
  disabled?: boolean;
  onChange: (isChecked: boolean) => void;
  children: ComponentChildren;
}

/** Something that is or is not. */
export const CheckField = ({ isChecked, disabled, onChange, children }: CheckFieldProps) => (
  <label class="check">
    <input
      type="checkbox"
      checked={isChecked}
      disabled={disabled}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
    {children}
  </label>
);

type NumberAttributes = 'type' | 'title' | 'min' | 'max' | 'step' | 'size' | 'aria-label' | 'aria-invalid';

interface NumberInputProps extends Pick<AllHTMLAttributes<HTMLInputElement>, NumberAttributes> {
  value: number | string;
  onChange: (value: number) => void;
}

/** What is typed as a number, `1,234.5` and `110,5` alike, as programs write it; what may be two numbers, as `110,500`, stays. */
export function plainDecimal(typed: string): string {
  const text = typed.trim();
  if (/^-?[1-9]\d{0,2},\d{3}$/.test(text)) return text;
  const isGrouped = /^-?\d{1,3}(,\d{3})+(\.\d*)?$/.test(text) && !/^-?0/.test(text);
  return isGrouped ? text.replaceAll(',', '') : text.replace(',', '.');
}

/** A number that counts once it is typed; what is none changes nothing. */
export function NumberInput({ value, onChange, ...more }: NumberInputProps) {
  const field = useRef<HTMLInputElement>(null);
  // Not while it is typed: the page may be drawn anew meanwhile.
  useLayoutEffect(() => void (field.current!.value = String(value)), [value]);
  const change = ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
    const typed = plainDecimal(currentTarget.value);
    if (typed !== '' && Number.isFinite(Number(typed))) onChange(Number(typed));
    else currentTarget.value = String(value);
  };
  return <input ref={field} inputMode="decimal" {...(more as object)} onChange={change} />;
}
