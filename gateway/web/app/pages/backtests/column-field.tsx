import { NumberInput } from '../../parts/controls.js';
import { columnParts, columnText, type RuleColumnKind } from './rule-columns.js';

interface ColumnFieldProps<T> {
  label: string;
  value: T;
  kinds: readonly RuleColumnKind[];
  isWrong: boolean;
  onChange: (value: T) => void;
}

/** What is compared: chosen from a list, with the numbers that it takes. What the list can't show is edited as text. */
export function ColumnField<T extends string | number>(props: ColumnFieldProps<T>) {
  const { label, value, kinds, isWrong } = props;
  const change = (next: string | number) => props.onChange(next as T);
  const parts = columnParts(value, kinds);
  const named = { 'aria-label': label, 'aria-invalid': isWrong || undefined };
  if (!parts)
    return <input {...named} value={value} onInput={({ currentTarget }) => change(currentTarget.value)} />;
  const { kind, values } = parts;
  const groups = [...new Set(kinds.map(({ group }) => group))];
  return (
    <span class="column-field">
      <select
        {...named}
        value={kind.base}
        onChange={({ currentTarget }) =>
          change(columnText(kinds.find(({ base }) => base === currentTarget.value)!))
        }
      >
        {groups.map((group) => (
          <optgroup key={group} label={group}>
            {kinds
              .filter((each) => each.group === group)
              .map(({ base, title }) => (
                <option key={base} value={base}>
                  {title}
                </option>
              ))}
          </optgroup>
        ))}
      </select>
      {kind.params.map(({ title, min, max, step }, n) => (
        <NumberInput
          key={title}
          {...{ ...named, title, min, max, step }}
          type="number"
          aria-label={`${label}: ${title}`}
          value={values[n]}
          onChange={(typed) => change(columnText(kind, values.with(n, typed)))}
        />
      ))}
    </span>
  );
}
