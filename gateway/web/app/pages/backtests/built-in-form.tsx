import { useState } from 'preact/hooks';
import type { AskError } from '../../client/ask-error.js';
import type { RouteInput, RoutePayload } from '../../client/routes.js';
import { useAction } from '../../client/use-action.js';
import { useAnswer } from '../../client/use-answer.js';
import { InputField } from '../../parts/input-field.js';
import { Panel } from '../../parts/panel.js';
import { SelectField } from '../../parts/select-field.js';
import { go } from '../../shell/route.js';
import { AssetField } from '../../parts/asset-field.js';
import { RunControls } from './run-controls.js';
import { fieldFault } from '../../parts/action-fault.js';

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
  // As they are typed: an empty field is no zero.
  const [params, setParams] = useState<Readonly<Record<string, string>>>({});
  const send = (event: Event) => {
    event.preventDefault();
    const strategy = name as NonNullable<BacktestInput['strategy']>;
    // The parameters fit the chosen strategy, which the type of the union can't know.
    const numbers: object = Object.fromEntries(
      Object.entries(params).map(([param, text]) => [param, Number(text)]),
    );
    const input = { asset, interval, period, strategy, params: numbers } as BacktestInput;
    run.run(input, ({ id }) => go(`/app/backtests/${id}`));
  };
  return (
    <Panel title="What is tried" answer={strategies} size={24} class="form">
      {(data) => {
        const strategy = data.strategies.find((each) => each.name === name)!;
        return (
          <form onSubmit={send}>
            <div class="fields">
              <AssetField value={asset} onChange={setAsset} fault={fieldFault(run.error, 'asset')} />
              <SelectField label="Interval" value={interval} options={intervals} onChange={setInterval} />
              <SelectField label="Period" value={period} options={periods} onChange={setPeriod} />
              <SelectField
                label="Strategy"
                value={name}
                options={Object.fromEntries(data.strategies.map((each) => [each.name, each.title]))}
                onChange={(chosen) => {
                  setName(chosen);
                  setParams({});
                }}
              />
            </div>
            <p>{strategy.rule}</p>
            <StrategyParams strategy={strategy} values={params} error={run.error} onChange={setParams} />
            <p class="quiet">
              Fills at the {data.assumptions.fill}; {data.assumptions.feePercent} % fee and{' '}
              {data.assumptions.slippagePercent} % slippage a side.
            </p>
            <RunControls action={run} />
          </form>
        );
      }}
    </Panel>
  );
}

interface StrategyParamsProps {
  strategy: Strategy;
  values: Readonly<Record<string, string>>;
  error: AskError | null;
  onChange: (values: Readonly<Record<string, string>>) => void;
}

function StrategyParams({ strategy, values, error, onChange }: StrategyParamsProps) {
  if (strategy.params.length === 0) return <p class="quiet">This strategy has no parameters.</p>;
  return (
    <div class="fields">
      {strategy.params.map(({ name, title, min, max, step, default: usual }) => (
        <InputField
          key={name}
          label={title}
          hint={`${min} to ${max}, usually ${usual}`}
          fault={fieldFault(error, name)}
          type="number"
          required
          {...{ min, max, step }}
          value={values[name] ?? usual}
          onChange={(text) => onChange({ ...values, [name]: text })}
        />
      ))}
    </div>
  );
}
