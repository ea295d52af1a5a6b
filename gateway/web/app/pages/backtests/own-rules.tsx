import { useState } from 'preact/hooks';
import type { RouteInput } from '../../client/routes.js';
import { useAction } from '../../client/use-action.js';
import { useAnswer, useLater } from '../../client/use-answer.js';
import { Choice } from '../../parts/controls.js';
import { InputField, InputFields, firstValues, type FieldSpec, useKept } from '../../parts/fields.js';
import { Lines } from '../../parts/lists.js';
import { Panel, Section } from '../../parts/page.js';
import { candleIntervals } from './built-in-form.js';
import { Ranges } from './ranges.js';
import { RunControls } from './run-controls.js';
import { ReportView } from './report.js';
import { columnKinds } from './column-field.js';
import { firstSheet, isSheet } from './rule-lines.js';
import { Sheet } from './rule-sheet.js';
import { SavedRules } from './saved-rules.js';

type RunInput = RouteInput<'POST /backend/research/backtest'>;

const fields: readonly FieldSpec[] = [
  { name: 'asset', label: 'Asset', type: 'asset', value: 'BTC' },
  { name: 'interval', label: 'Interval', options: candleIntervals, value: '4h' },
  { name: 'from', label: 'From', hint: 'empty: from the first candle', type: 'date' },
  { name: 'to', label: 'To', hint: 'empty: to the newest', type: 'date' },
];

/** Rules of the user: conditions line by line with their plain English beside them, or as JSON; then a run and its report. */
export function OwnRules() {
  const indicators = useAnswer('GET /backend/analysis/list-indicators', {});
  const [json, setJson] = useKept('rules', jsonOf(firstSheet));
  const [isJson, setIsJson] = useState(false);
  const [typed, setTyped] = useKept('rules tried on', firstValues(fields));
  const run = useAction('POST /backend/research/backtest');
  const strategy = parsed(json);
  const sheet = strategy && isSheet(strategy) ? strategy : null;
  const interval = typed.interval as NonNullable<RunInput['interval']>;
  const { asset, from, to } = typed;
  const tried = { asset, interval, from: from || null, to: to || null };
  const params = paramsOf(strategy);
  const asked = useLater(strategy);
  const check = useAnswer(
    'POST /backend/research/check',
    asked && { strategy: asked as RunInput['strategy'], interval },
  );
  const send = (event: Event) => {
    event.preventDefault();
    if (strategy) run.run({ ...tried, strategy });
  };
  return (
    <>
      <div class="beside">
        <Panel
          title="Rules"
          answer={indicators}
          size={24}
          tools={
            <Choice
              label="Shown as"
              value={isJson ? 'json' : 'lines'}
              options={{ lines: 'Lines', json: 'JSON' }}
              onChange={(chosen) => setIsJson(chosen === 'json' || !sheet)}
            />
          }
        >
          {(data) =>
            sheet && !isJson ? (
              <Sheet
                sheet={sheet}
                onChange={(next) => setJson(jsonOf(next))}
                kinds={columnKinds(data.indicators)}
                error={check.error}
              />
            ) : (
              <InputField
                label="Strategy"
                fault={strategy === null ? 'This is no valid JSON yet' : check.error?.message}
                class="code"
                rows={18}
                maxLength={100_000}
                value={json}
                onChange={setJson}
              />
            )
          }
        </Panel>
        <div>
          <Section title="In plain English" aria-live="polite">
            {check.error ? (
              <p class="fault">✗ {check.error.message}</p>
            ) : (
              check.data && <Lines of={check.data.rules} />
            )}
            <SavedRules
              strategy={strategy}
              onUse={(saved) => {
                setJson(jsonOf(saved));
                setIsJson(!isSheet(saved));
              }}
            />
          </Section>
          {/* Enter in a field of the rules runs nothing. */}
          <form onSubmit={send} class="panel" aria-label="What it is tried on">
            <InputFields fields={fields} values={typed} onChange={setTyped} error={run.error} />
            <RunControls action={run} />
          </form>
        </div>
      </div>
      {params.length > 0 && (
        <Ranges
          route="POST /backend/research/sweep"
          input={{ ...tried, strategy }}
          params={params}
          onUse={(best) => {
            const used = params.map(({ name, min, max, step }) => [
              name,
              { min, max, step, default: best[name] },
            ]);
            setJson(jsonOf({ ...strategy, params: Object.fromEntries(used) as object }));
          }}
        />
      )}
      {run.done && (
        <ReportView
          title={`own rules on ${run.done.assets.join(', ')}`}
          report={run.done}
          csv={`/backend/research/runs/${run.done.id}/trades.csv`}
        />
      )}
    </>
  );
}

/** The parameters that rules have; what is typed as JSON may hold anything in their place. */
function paramsOf(rules: object | null) {
  const { params } = (rules ?? {}) as NonNullable<Exclude<RunInput['strategy'], string>>;
  return Object.entries(params ?? {}).map(([name, param]) => ({ step: 1, ...param, name, title: name }));
}

const jsonOf = (strategy: object): string => JSON.stringify(strategy, null, 2);

function parsed(json: string): object | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}
