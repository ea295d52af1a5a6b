import { useState } from 'preact/hooks';
import type { RouteInput } from '../../client/routes.js';
import { useAction } from '../../client/use-action.js';
import { useAnswer, useLater } from '../../client/use-answer.js';
import { Choice } from '../../parts/controls.js';
import { AssetField, InputField, InputFields, type FieldSpec, type Typed } from '../../parts/fields.js';
import { fieldFault, Panel, Section } from '../../parts/page.js';
import { ReportView } from './report.js';
import { columnKinds } from './rule-columns.js';
import { firstSheet, type RuleSheet, sheetOf, sheetStrategy } from './rule-lines.js';
import { Sheet } from './rule-sheet.js';
import { RunControls } from './run-controls.js';
import { SavedRules } from './saved-rules.js';

type Strategy = RouteInput<'POST /backend/research/check'>['strategy'];

const intervals = { '1h': '1 hour', '4h': '4 hours', '1d': '1 day' } as const;
const typingMs = 300;
const dateFields: readonly FieldSpec[] = [
  { name: 'from', label: 'From', hint: 'empty: from the first candle', type: 'date' },
  { name: 'to', label: 'To', hint: 'empty: to the newest', type: 'date' },
];
/** Rules of the user: conditions line by line with their plain English beside them, or as JSON; then a run and its report. */
export function OwnRules() {
  const indicators = useAnswer('GET /backend/analysis/list-indicators', {});
  const [sheet, setSheet] = useState<RuleSheet>(firstSheet);
  const [json, setJson] = useState<string | null>(null);
  const [asset, setAsset] = useState('BTC');
  const [interval, setInterval] = useState<keyof typeof intervals>('4h');
  const [dates, setDates] = useState<Typed>({});
  const run = useAction('POST /backend/research/backtest');
  const strategy = json === null ? sheetStrategy(sheet) : parsed(json);
  const asked = useLater(strategy, typingMs);
  const check = useAnswer('POST /backend/research/check', asked && { strategy: asked as Strategy, interval });
  const show = (chosen: 'lines' | 'json') => {
    if (chosen === 'json') return setJson(JSON.stringify(sheetStrategy(sheet), null, 2));
    const next = strategy && sheetOf(strategy);
    if (!next) return;
    setSheet(next);
    setJson(null);
  };
  const use = (given: object) => {
    const next = sheetOf(given as Record<string, unknown>);
    if (next) setSheet(next);
    setJson(next ? null : JSON.stringify(given, null, 2));
  };
  const send = (event: Event) => {
    event.preventDefault();
    if (!strategy) return;
    const [from, to] = [dates.from || null, dates.to || null];
    run.run({ strategy: strategy as Strategy, asset, interval, from, to });
  };
  const faultOf = (field: string) => fieldFault(run.error, field);
  return (
    <>
      <form onSubmit={send} class="beside">
        <Panel
          title="Rules"
          answer={indicators}
          size={24}
          tools={
            <Choice
              label="Shown as"
              value={json === null ? 'lines' : 'json'}
              options={{ lines: 'Lines', json: 'JSON' }}
              onChange={show}
            />
          }
        >
          {(data) =>
            json === null ? (
              <Sheet
                sheet={sheet}
                onChange={setSheet}
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
              check.data?.rules.map((sentence) => <p key={sentence}>{sentence}</p>)
            )}
            <SavedRules strategy={strategy} onUse={use} />
          </Section>
          <section class="panel" aria-label="What it is tried on">
            <AssetField value={asset} onChange={setAsset} fault={faultOf('asset')} />
            <InputField label="Interval" value={interval} options={intervals} onChange={setInterval} />
            <InputFields fields={dateFields} values={dates} onChange={setDates} faultOf={faultOf} />
            <RunControls action={run} />
          </section>
        </div>
      </form>
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

function parsed(json: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
