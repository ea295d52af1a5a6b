import { Button, Choice, Select } from '../../parts/controls.js';
import { ColumnField, type ColumnFieldProps } from './column-field.js';
import { type RuleColumnKind, usualColumn } from './rule-columns.js';
import { type RuleConditions, type RuleLine, ruleOperators } from './rule-lines.js';

interface ConditionLinesProps {
  title: string;
  conditions: RuleConditions;
  kinds: readonly RuleColumnKind[];
  /** What is wrong with a line, by its number; `left` or `right` where only one side is. */
  fault: { line: number; side: 'left' | 'right' | null; message: string } | null;
  onChange: (conditions: RuleConditions) => void;
}

const states = ['accumulate', 'wait', 'distribute'];

/** Conditions, one a line: what, how, with what. */
export function ConditionLines({ title, conditions, kinds, fault, onChange }: ConditionLinesProps) {
  const { lines, join } = conditions;
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
      {lines.map((line, n) => (
        <div key={n} class="condition">
          <ColumnField
            label={`${title} ${n + 1}: what`}
            value={line.left}
            kinds={kinds}
            isWrong={fault?.line === n && fault.side !== 'right'}
            onChange={(left) =>
              change(n, left === 'state' ? { left, op: '=', right: 'accumulate' } : { left })
            }
          />
          <Select
            aria-label={`${title} ${n + 1}: how`}
            value={line.op as keyof typeof ruleOperators}
            options={ruleOperators}
            onChange={(op) => change(n, { op })}
          />
          <RightSide
            label={`${title} ${n + 1}: than`}
            line={line}
            kinds={kinds}
            isWrong={fault?.line === n && fault.side !== 'left'}
            onChange={(right) => change(n, { right })}
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

interface RightSideProps extends Omit<ColumnFieldProps, 'value'> {
  line: RuleLine;
}

/** What a column is compared with: a number, another column, or a state. */
function RightSide({ label, line: { left, right }, kinds, isWrong, onChange }: RightSideProps) {
  if (left === 'state')
    return <Select aria-label={label} value={right} options={states} onChange={onChange} />;
  const isNumber = right === '' || Number.isFinite(Number(right));
  return (
    <>
      <Select
        aria-label={`${label}: a number or a value`}
        value={isNumber ? 'number' : 'value'}
        options={{ number: 'the number', value: 'the value of' }}
        onChange={(kind) =>
          onChange(
            kind === 'number' ? '50' : usualColumn(kinds.find(({ base }) => base === 'ema') ?? kinds[0]),
          )
        }
      />
      {isNumber ? (
        <input
          type="number"
          step="any"
          aria-label={label}
          aria-invalid={isWrong || undefined}
          value={right}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      ) : (
        <ColumnField label={label} value={right} kinds={kinds} isWrong={isWrong} onChange={onChange} />
      )}
    </>
  );
}
