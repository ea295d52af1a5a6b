import type { ComponentChildren } from 'preact';

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
