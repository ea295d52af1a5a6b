import { columnParts, columnText, type RuleColumnKind, usualColumn } from './rule-columns.js';

export interface ColumnFieldProps {
  label: string;
  value: string;
  kinds: readonly RuleColumnKind[];
  isWrong: boolean;
  onChange: (column: string) => void;
}

/** What is compared: chosen from a list, with the numbers that it takes. What the list can't show is edited as text. */
export function ColumnField({ label, value, kinds, isWrong, onChange }: ColumnFieldProps) {
  const parts = columnParts(value, kinds);
  const named = { 'aria-label': label, 'aria-invalid': isWrong || undefined };
  if (!parts)
    return <input {...named} value={value} onInput={({ currentTarget }) => onChange(currentTarget.value)} />;
  const groups = [...new Set(kinds.map(({ group }) => group))];
  return (
    <span class="column-field">
      <select
        {...named}
        value={parts.kind.base}
        onChange={({ currentTarget }) =>
          onChange(usualColumn(kinds.find(({ base }) => base === currentTarget.value)!))
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
      {parts.kind.params.map(({ name, title, min, max, step }, n) => (
        <input
          key={name}
          {...{ ...named, title, min, max, step }}
          type="number"
          aria-label={`${label}: ${title}`}
          value={parts.values[n]}
          onChange={({ currentTarget }) => {
            const typed = currentTarget.valueAsNumber;
            // What is no number changes nothing.
            if (Number.isFinite(typed)) onChange(columnText(parts.kind, parts.values.with(n, typed)));
            else currentTarget.value = String(parts.values[n]);
          }}
        />
      ))}
    </span>
  );
}
