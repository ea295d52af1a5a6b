import type { AskError } from '../../client/ask.js';
import { CheckField, Select } from '../../parts/controls.js';
import { ConditionLines } from './condition-lines.js';
import type { RuleColumnKind } from './rule-columns.js';
import type { RuleSheet, SheetDistance } from './rule-lines.js';

/** Each with its usual percent, and units of its own. */
const distances: readonly (readonly [SheetDistance, string, number, object?])[] = [
  ['stopLoss', 'Stop loss', 5],
  ['takeProfit', 'Take profit', 10, { r: '× the stop' }],
  ['trailingStop', 'Trailing stop', 8],
];

interface SheetProps {
  sheet: RuleSheet;
  kinds: readonly RuleColumnKind[];
  error: AskError | null;
  onChange: (sheet: RuleSheet) => void;
}

/** A strategy line by line: when to buy and to sell, and distances from the entry that can be left out. */
export const Sheet = ({ sheet, kinds, error, onChange }: SheetProps) => (
  <>
    {(['entry', 'exit'] as const).map((part) => (
      <ConditionLines
        key={part}
        title={part === 'entry' ? 'Buy when' : 'Sell when'}
        conditions={sheet[part]}
        kinds={kinds}
        fault={lineFault(error, part)}
        onChange={(conditions) => onChange({ ...sheet, [part]: conditions })}
      />
    ))}
    {distances.map(([name, label, usual, more]) => {
      const given = sheet[name];
      const set = (distance: typeof given) => onChange({ ...sheet, [name]: distance });
      return (
        <div key={name} class="distance">
          <CheckField
            isChecked={given !== null}
            onChange={(isChecked) => set(isChecked ? { unit: 'percent', value: String(usual) } : null)}
          >
            {label}
          </CheckField>
          {given && (
            <>
              <input
                type="number"
                min="0"
                step="any"
                aria-label={label}
                value={given.value}
                onInput={({ currentTarget: { value } }) => set({ ...given, value })}
              />
              <Select
                aria-label={`${label}: unit`}
                value={given.unit}
                options={{ percent: '%', atr: '× usual range (ATR)', ...more }}
                onChange={(unit: string) => set({ ...given, unit })}
              />
            </>
          )}
        </div>
      );
    })}
  </>
);

/** Where a fault lies: `strategy.long.entry.all[1].left`. */
function lineFault(error: AskError | null, part: 'entry' | 'exit') {
  const pattern = /^strategy\.long\.(entry|exit)\.(?:all|any)\[(\d+)\](?:\.(left|right))?/;
  const [, at, line, side] = pattern.exec(error?.field ?? '') ?? [];
  if (at !== part) return null;
  return {
    line: Number(line),
    side: (side as 'left' | 'right' | undefined) ?? null,
    message: error!.message,
  };
}
