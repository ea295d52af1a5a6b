import type { AskError } from '../../client/ask.js';
import { CheckField, NumberInput, Select } from '../../parts/controls.js';
import { ConditionLines } from './condition-lines.js';
import type { RuleColumnKind } from './column-field.js';
import { ruleConditions, ruleDistances, type RuleSheet } from './rule-lines.js';

interface SheetProps {
  sheet: RuleSheet;
  kinds: readonly RuleColumnKind[];
  error: AskError | null;
  onChange: (sheet: RuleSheet) => void;
}

/** A strategy line by line: when to buy and to sell, and distances from the entry that can be left out. */
export function Sheet({ sheet: { long }, kinds, error, onChange }: SheetProps) {
  const set = (part: keyof typeof long, to: object | undefined) =>
    onChange({ long: { ...long, [part]: to } });
  return (
    <>
      {(['entry', 'exit'] as const).map((part) => (
        <ConditionLines
          key={part}
          title={part === 'entry' ? 'Buy when' : 'Sell when'}
          {...ruleConditions(long[part])}
          kinds={kinds}
          fault={lineFault(error, part)}
          onChange={({ join, lines }) => set(part, lines.length > 0 ? { [join]: lines } : undefined)}
        />
      ))}
      {(Object.keys(ruleDistances) as (keyof typeof ruleDistances)[]).map((name) => {
        const [label, usual, units] = ruleDistances[name];
        const [given] = Object.entries(long[name] ?? {});
        return (
          <div key={name} class="distance">
            <CheckField
              isChecked={given !== undefined}
              onChange={(isChecked) => set(name, isChecked ? { percent: usual } : undefined)}
            >
              {label}
            </CheckField>
            {given && (
              <>
                <NumberInput
                  type="number"
                  min="0"
                  step="any"
                  aria-label={label}
                  value={given[1]}
                  onChange={(distance) => set(name, { [given[0]]: distance })}
                />
                <Select
                  aria-label={`${label}: unit`}
                  value={given[0]}
                  options={{ percent: '%', atr: '× usual range (ATR)', ...units }}
                  onChange={(unit: string) => set(name, { [unit]: given[1] })}
                />
              </>
            )}
          </div>
        );
      })}
    </>
  );
}

/** Where a fault lies: `strategy.long.entry.all[1].left`. */
function lineFault(error: AskError | null, part: 'entry' | 'exit') {
  const pattern = /^strategy\.long\.(entry|exit)\.(?:all|any)\[(\d+)\](?:\.(left|right))?/;
  const [, at, line, side = null] = pattern.exec(error?.field ?? '') ?? [];
  if (at !== part) return null;
  return { line: Number(line), side: side as 'left' | 'right' | null, message: error!.message };
}
