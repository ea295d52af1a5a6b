import { useState } from 'preact/hooks';
import type { RouteInput } from '../../client/routes.js';
import { useAction } from '../../client/use-action.js';
import { useAnswer } from '../../client/use-answer.js';
import { InputFields, firstValues, type FieldSpec, type Typed } from '../../parts/fields.js';
import { Panel } from '../../parts/page.js';
import { go } from '../../shell/route.js';
import { Ranges, type StrategyParam } from './ranges.js';
import { RunControls } from './run-controls.js';

export const candleIntervals = { '1h': '1 hour', '4h': '4 hours', '1d': '1 day' } as const;
const periods = { '3M': '3 months', '6M': '6 months', '1y': '1 year' } as const;

/** Chooses a built-in strategy and what it is tried on; its parameters follow from what the service says of it. */
export function BuiltInForm({ asset }: { asset: string }) {
  const strategies = useAnswer('GET /backend/analysis/list-strategies', {});
  const run = useAction('POST /backend/core-line/backtest');
  const titles = Object.fromEntries(
    strategies.data?.strategies.map(({ name, title }) => [name, title]) ?? [],
  );
  const fields: readonly FieldSpec[] = [
    { name: 'asset', label: 'Asset', type: 'asset', value: asset },
    { name: 'interval', label: 'Interval', options: candleIntervals, value: '1h' },
    { name: 'period', label: 'Period', options: periods, value: '1y' },
    { name: 'strategy', label: 'Strategy', options: titles, value: 'trend_state' },
  ];
  const [chosen, setChosen] = useState(() => firstValues(fields));
  const [typed, setTyped] = useState<Typed>({});
  const strategy = strategies.data?.strategies.find(({ name }) => name === chosen.strategy);
  const params = (strategy?.params ?? []).map(fieldOf);
  const values = { ...firstValues(params), ...typed };
  const send = (event: Event) => {
    event.preventDefault();
    const given = Object.fromEntries(params.map(({ name }) => [name, Number(values[name])]));
    // The parameters fit the chosen strategy, which the type of the union can't know.
    const input = { ...chosen, params: given } as RouteInput<'POST /backend/core-line/backtest'>;
    run.run(input, ({ id }) => go(`/app/backtests/${id}`));
  };
  const choose = (next: Typed) => {
    if (next.strategy !== chosen.strategy) setTyped({});
    setChosen(next);
  };
  const use = (best: Readonly<Record<string, number>>) =>
    setTyped(Object.fromEntries(Object.entries(best).map(([name, value]) => [name, String(value)])));
  return (
    <>
      <Panel title="What is tried" answer={strategies} size={24}>
        {({ assumptions: { fill, feePercent, slippagePercent } }) => (
          <form onSubmit={send}>
            <InputFields fields={fields} values={chosen} onChange={choose} error={run.error} />
            <p>{strategy!.rule}</p>
            {params.length === 0 && <p class="quiet">This strategy has no parameters.</p>}
            <InputFields fields={params} values={values} onChange={setTyped} error={run.error} />
            <p class="quiet">
              Fills at the {fill}; {feePercent} % fee and {slippagePercent} % slippage a side.
            </p>
            <RunControls action={run} />
          </form>
        )}
      </Panel>
      {params.length > 0 && (
        <Ranges
          key={strategy!.name}
          route="POST /backend/analysis/sweep"
          input={chosen}
          params={strategy!.params}
          onUse={use}
        />
      )}
    </>
  );
}

const fieldOf = ({ name, title, min, max, step, default: usual }: StrategyParam) => ({
  name,
  min,
  max,
  step,
  type: 'number' as const,
  required: true,
  value: String(usual),
  label: title,
  hint: `${min} to ${max}, usually ${usual}`,
});
