import { useState } from 'preact/hooks';
import type { RouteInput, RoutePayload } from '../../client/routes.js';
import { useAction } from '../../client/use-action.js';
import { useAnswer } from '../../client/use-answer.js';
import { AssetField, InputField, InputFields, firstValues, type Typed } from '../../parts/fields.js';
import { fieldFault, Panel } from '../../parts/page.js';
import { go } from '../../shell/route.js';
import { RunControls } from './run-controls.js';

type BacktestInput = RouteInput<'POST /backend/core-line/backtest'>;
type Strategy = RoutePayload<'GET /backend/analysis/list-strategies'>['strategies'][number];

const intervals = { '1h': '1 hour', '4h': '4 hours', '1d': '1 day' } as const;
const periods = { '3M': '3 months', '6M': '6 months', '1y': '1 year' } as const;

/** Chooses a built-in strategy and what it is tried on; its parameters follow from what the service says of it. */
export function BuiltInForm({ asset: firstAsset }: { asset: string }) {
  const strategies = useAnswer('GET /backend/analysis/list-strategies', {});
  const run = useAction('POST /backend/core-line/backtest');
  const [asset, setAsset] = useState(firstAsset);
  const [interval, setInterval] = useState<keyof typeof intervals>('1h');
  const [period, setPeriod] = useState<keyof typeof periods>('1y');
  const [name, setName] = useState('trend_state');
  const [typed, setTyped] = useState<Typed>({});
  const strategy = strategies.data?.strategies.find((each) => each.name === name);
  const fields = (strategy?.params ?? []).map(fieldOf);
  const values = { ...firstValues(fields), ...typed };
  const faultOf = (field: string) => fieldFault(run.error, field);
  const send = (event: Event) => {
    event.preventDefault();
    const params = Object.fromEntries(fields.map((field) => [field.name, Number(values[field.name])]));
    // The parameters fit the chosen strategy, which the type of the union can't know.
    const input = { asset, interval, period, strategy: name, params } as BacktestInput;
    run.run(input, ({ id }) => go(`/app/backtests/${id}`));
  };
  return (
    <Panel title="What is tried" answer={strategies} size={24}>
      {({ strategies: known, assumptions: { fill, feePercent, slippagePercent } }) => (
        <form onSubmit={send}>
          <div class="fields">
            <AssetField value={asset} onChange={setAsset} fault={faultOf('asset')} />
            <InputField label="Interval" value={interval} options={intervals} onChange={setInterval} />
            <InputField label="Period" value={period} options={periods} onChange={setPeriod} />
            <InputField
              label="Strategy"
              value={name}
              options={Object.fromEntries(known.map((each) => [each.name, each.title]))}
              onChange={(chosen) => {
                setName(chosen);
                setTyped({});
              }}
            />
          </div>
          <p>{strategy!.rule}</p>
          {fields.length === 0 && <p class="quiet">This strategy has no parameters.</p>}
          <InputFields fields={fields} values={values} onChange={setTyped} faultOf={faultOf} />
          <p class="quiet">
            Fills at the {fill}; {feePercent} % fee and {slippagePercent} % slippage a side.
          </p>
          <RunControls action={run} />
        </form>
      )}
    </Panel>
  );
}

const fieldOf = ({ name, title, min, max, step, default: usual }: Strategy['params'][number]) => ({
  name,
  label: title,
  hint: `${min} to ${max}, usually ${usual}`,
  type: 'number' as const,
  required: true,
  min,
  max,
  step,
  value: String(usual),
});
