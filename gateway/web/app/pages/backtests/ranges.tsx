import { useState } from 'preact/hooks';
import type { RouteInput, RoutePayload } from '../../client/routes.js';
import { useAction } from '../../client/use-action.js';
import { Button } from '../../parts/controls.js';
import { column, DataTable } from '../../parts/data-table.js';
import { firstValues, InputFields, type Typed } from '../../parts/fields.js';
import { counted, inFull, numberText, percentText, quantityText, shareText } from '../../parts/formats.js';
import { Lines } from '../../parts/lists.js';
import { Section } from '../../parts/page.js';
import { RunControls } from './run-controls.js';

type SweepRoute = 'POST /backend/analysis/sweep' | 'POST /backend/research/sweep';
type Best = RoutePayload<SweepRoute>['best'][number];

/** A parameter of a strategy, and what it may be. */
export type StrategyParam =
  RoutePayload<'GET /backend/analysis/list-strategies'>['strategies'][number]['params'][number];

interface RangesProps {
  route: SweepRoute;
  /** What is tried on what, without the values of parameters. */
  input: object;
  params: readonly StrategyParam[];
  onUse: (params: Best['params']) => void;
}

/** Tries all combinations of several values of each parameter, and lists the best, of which one can be taken. */
export function Ranges({ route, input, params, onUse }: RangesProps) {
  const [typed, setTyped] = useState<Typed>({});
  const sweep = useAction(route);
  const fields = params.map((param) => ({
    name: param.name,
    label: `${param.title}: values`,
    hint: `${param.min} to ${param.max}`,
    required: true,
    value: nearDefault(param).join(', '),
  }));
  const values = { ...firstValues(fields), ...typed };
  const send = (event: Event) => {
    event.preventDefault();
    const valuesOf = ({ name }: StrategyParam) => (values[name].match(/[^\s,]+/g) ?? []).map(Number);
    const grid = Object.fromEntries(params.map((param) => [param.name, valuesOf(param)]));
    sweep.run({ ...input, grid } as unknown as RouteInput<SweepRoute>);
  };
  const { done } = sweep;
  return (
    <Section title="Ranges">
      <p class="quiet">Several values of each parameter, in all combinations.</p>
      <form onSubmit={send}>
        <InputFields fields={fields} values={values} onChange={setTyped} error={sweep.error} />
        <RunControls verb="Try all" action={sweep} />
      </form>
      {done && (
        <>
          <p>
            The best of {counted(done.combinations, 'combination')}; without any skill the best of so many
            would be expected to reach a Sharpe of {numberText(done.luckiestSharpe)}.
          </p>
          <DataTable<Best>
            caption="Best combinations"
            rows={done.best}
            keyOf="index"
            isWide
            columns={[
              ...params.map(({ name, title }) =>
                column.figure<Best>(title, (row) => row.params[name], quantityText),
              ),
              column.change('Return', 'totalReturn'),
              column.figure('Drawdown', 'maxDrawdown', percentText),
              column.figure('Sharpe', 'sharpe'),
              column.figure(
                'No luck',
                ({ deflatedSharpe }) => deflatedSharpe && deflatedSharpe * 100,
                shareText,
              ),
              column.figure('Trades', 'tradeCount', inFull),
              column.word('Use', (row) => (
                <Button
                  aria-label={`Use ${Object.values(row.params).join(', ')}`}
                  onClick={() => onUse(row.params)}
                >
                  Use
                </Button>
              )),
            ]}
          />
          <Lines class="quiet" of={done.notes} />
        </>
      )}
    </Section>
  );
}

/** Values from half of the usual one to its double, each on a step of the parameter. */
function nearDefault({ min, max, step, default: usual }: StrategyParam): number[] {
  const near = [0.5, 0.7, 1, 1.4, 2].map((factor) => min + Math.round((usual * factor - min) / step) * step);
  return [...new Set(near.map((value) => Number(Math.min(max, Math.max(min, value)).toPrecision(12))))];
}
