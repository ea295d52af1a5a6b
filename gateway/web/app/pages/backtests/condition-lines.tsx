import { Button, Choice, Select } from '../../parts/controls.js';
import { ColumnField, numberKind, type RuleColumnKind, stateKinds } from './column-field.js';
import { type RuleConditions, type RuleLine, ruleOperators } from './rule-lines.js';

interface ConditionLinesProps extends RuleConditions {
  title: string;
  kinds: readonly RuleColumnKind[];
  /** What is wrong with a line, by its number; `left` or `right` where only one side is. */
  fault: { line: number; side: 'left' | 'right' | null; message: string } | null;
  onChange: (conditions: RuleConditions) => void;
}

/** Conditions, one a line: what, how, with what. */
export function ConditionLines({ title, lines, join, kinds, fault, onChange }: ConditionLinesProps) {
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
