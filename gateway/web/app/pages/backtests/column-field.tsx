import type { RoutePayload } from '../../client/routes.js';
import { NumberInput } from '../../parts/controls.js';
import { capital } from '../../parts/formats.js';
import { stateShapes } from '../../parts/marks.js';

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

type ListedIndicators = RoutePayload<'GET /backend/analysis/list-indicators'>['indicators'];

interface ColumnParam {
  title: string;
  default: number;
  min?: number;
  max?: number;
  step: number | 'any';
}

/** What a condition can compare, by the name that it begins with. */
export interface RuleColumnKind {
  base: string;
  title: string;
  group: string;
  params: readonly ColumnParam[];
}

const candles = { title: 'Candles back', min: 1, max: 500, default: 7, step: 1 };

const kindOf = (group: string, base: string, title: string, ...params: ColumnParam[]): RuleColumnKind => ({
  base,
  title,
  group,
  params,
});

const plain: readonly RuleColumnKind[] = [
  kindOf('Candle', 'close', 'Price (close)'),
  ...['open', 'high', 'low', 'volume'].map((name) => kindOf('Candle', name, capital(name))),
  kindOf('Candle', 'change', 'Change in percent', candles),
  kindOf('Trend', 'state', 'State of the trend'),
  kindOf('Trend', 'days_in_state', 'Days in this state'),
];

/** With what the state of the trend is compared. */
export const stateKinds = Object.keys(stateShapes).map((state) => kindOf('State', state, state));

/** With what a column can be compared besides another one. */
export const numberKind = kindOf('Number', 'number', 'the number', {
  title: 'number',
  default: 50,
  step: 'any',
});

/** Everything that a condition can compare, from what the service says of its indicators. */
export const columnKinds = (indicators: ListedIndicators): readonly RuleColumnKind[] => [
  ...plain,
  ...indicators.flatMap(({ name, title, kind, outputs, params }) =>
    outputs.map((output) => ({
      base: outputs.length === 1 || output === name ? name : `${name}_${output}`,
      title: outputs.length === 1 ? title : `${title}: ${output}`,
      group: capital(kind),
      params,
    })),
  ),
];

/** A number or a column as parts: what it is, and its parameters. Null for a column with more, such as `close@1d[3]`. */
function columnParts(value: string | number, kinds: readonly RuleColumnKind[]) {
  if (typeof value === 'number') return { kind: numberKind, values: [value] };
  const [, base = '', tail = ''] = /^([a-z_]*[a-z])((?:_\d+(?:\.\d+)?)*)$/.exec(value.trim()) ?? [];
  const kind = kinds.find((each) => each.base === base);
  if (!kind) return null;
  const given = tail === '' ? [] : tail.slice(1).split('_').map(Number);
  return { kind, values: kind.params.map((param, n) => given[n] ?? param.default) };
}

/** A column as it is written; default: as it is first chosen. */
const columnText = (
  kind: RuleColumnKind,
  values: readonly number[] = kind.params.map((param) => param.default),
): string | number => (kind === numberKind ? values[0] : [kind.base, ...values].join('_'));
