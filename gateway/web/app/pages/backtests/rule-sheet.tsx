import type { AskError } from '../../client/ask.js';
import { CheckField, NumberInput, Select, Button, Choice } from '../../parts/controls.js';
import { type RuleColumnKind, ColumnField, numberKind, stateKinds } from './column-field.js';
import {
  ruleConditions,
  ruleDistances,
  type RuleSheet,
  type RuleConditions,
  type RuleLine,
  ruleOperators,
} from './rule-lines.js';

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

interface ConditionLinesProps extends RuleConditions {
  title: string;
  kinds: readonly RuleColumnKind[];
  /** What is wrong with a line, by its number; `left` or `right` where only one side is. */
  fault: { line: number; side: 'left' | 'right' | null; message: string } | null;
  onChange: (conditions: RuleConditions) => void;
}

/** Conditions, one a line: what, how, with what. */
function ConditionLines({ title, lines, join, kinds, fault, onChange }: ConditionLinesProps) {
  const setLines = (next: readonly RuleLine[]) => onChange({ join, lines: next });
  const change = (n: number, part: Partial<RuleLine>) => setLines(lines.with(n, { ...lines[n], ...part }));
  return (
    <fieldset class="conditions">
      <legend>{title}</legend>
      {lines.length > 1 && (
        <Choice
          label={`${title}: how the lines join`}
          value={join}
          options={{ all: 'all of these', any: 'any of these' }}
          onChange={(next) => onChange({ lines, join: next })}
        />
      )}
      {lines.map(({ left, op, right }, n) => (
        <div key={n} class="condition">
          <ColumnField
            label={`${title} ${n + 1}: what`}
            value={left}
            kinds={kinds}
            isWrong={fault?.line === n && fault.side !== 'right'}
            onChange={(next) =>
              change(n, next === 'state' ? { left: next, op: '=', right: 'accumulate' } : { left: next })
            }
          />
          <Select
            aria-label={`${title} ${n + 1}: how`}
            value={op}
            options={ruleOperators}
            onChange={(next) => change(n, { op: next })}
          />
          <ColumnField
            label={`${title} ${n + 1}: than`}
            value={right}
            kinds={left === 'state' ? stateKinds : [numberKind, ...kinds]}
            isWrong={fault?.line === n && fault.side !== 'left'}
            onChange={(next) => change(n, { right: next })}
          />
          <Button aria-label={`${title} ${n + 1}: remove`} onClick={() => setLines(lines.toSpliced(n, 1))}>
            ✕
          </Button>
          {fault?.line === n && (
            <p class="fault" role="alert">
              ✗ {fault.message}
            </p>
          )}
        </div>
      ))}
      <Button onClick={() => setLines([...lines, { left: 'close', op: '>', right: 'ema_50' }])}>
        + condition
      </Button>
    </fieldset>
  );
}
