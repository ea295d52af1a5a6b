import { useState } from 'preact/hooks';
import type { AskError } from '../../client/ask-error.js';
import type { RouteInput } from '../../client/routes.js';
import { useAction } from '../../client/use-action.js';
import { useAnswer } from '../../client/use-answer.js';
import { useLater } from '../../client/use-later.js';
import { Choice } from '../../parts/choice.js';
import { InputField } from '../../parts/input-field.js';
import { Labelled } from '../../parts/labelled.js';
import { Panel } from '../../parts/panel.js';
import { AssetField } from '../../parts/asset-field.js';
import { SelectField } from '../../parts/select-field.js';
import { ConditionLines } from './condition-lines.js';
import { DistanceField } from './distance-field.js';
import { ReportView } from './report.js';
import { columnKinds } from './rule-columns.js';
import { firstSheet, sheetOf, sheetStrategy, type RuleSheet } from './rule-lines.js';
import { RunControls } from './run-controls.js';
import { SavedRules } from './saved-rules.js';
import { Section } from '../../parts/section.js';
import { fieldFault } from '../../parts/action-fault.js';

type Strategy = RouteInput<'POST /backend/research/check'>['strategy'];

const intervals = { '1h': '1 hour', '4h': '4 hours', '1d': '1 day' } as const;
const typingMs = 300;
const units = { percent: '%', atr: '× usual range (ATR)' } as const;

/** Rules of the user: conditions line by line with their plain English beside them, or as JSON; then a run and its report. */
export function OwnRules() {
  const indicators = useAnswer('GET /backend/analysis/list-indicators', {});
  const [sheet, setSheet] = useState<RuleSheet>(firstSheet);
  const [json, setJson] = useState<string | null>(null);
  const [asset, setAsset] = useState('BTC');
  const [interval, setInterval] = useState<keyof typeof intervals>('4h');
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const run = useAction('POST /backend/research/backtest');
  const strategy = json === null ? sheetStrategy(sheet) : parsed(json);
  const asked = useLater(strategy, typingMs);
  const check = useAnswer(
    asked ? 'POST /backend/research/check' : null,
    asked && { strategy: asked as Strategy, interval },
  );
  const show = (chosen: 'lines' | 'json') => {
    if (chosen === 'json') return setJson(JSON.stringify(sheetStrategy(sheet), null, 2));
    const next = strategy && sheetOf(strategy);
    if (!next) return;
    setSheet(next);
    setJson(null);
  };
  const use = (given: object) => {
    const next = sheetOf(given as Parameters<typeof sheetOf>[0]);
    if (next) setSheet(next);
    setJson(next ? null : JSON.stringify(given, null, 2));
  };
  const send = (event: Event) => {
    event.preventDefault();
    if (!strategy) return;
    run.run({
      strategy: strategy as Strategy,
      asset,
      interval,
      from: from === '' ? null : from,
      to: to === '' ? null : to,
    });
  };
  return (
    <>
      <form onSubmit={send} class="beside">
        <Panel
          title="Rules"
          answer={indicators}
          size={24}
          class="form"
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
              <Lines
                sheet={sheet}
                onChange={setSheet}
                kinds={columnKinds(data.indicators)}
                error={check.error}
              />
            ) : (
              <Labelled
                label="Strategy"
                fault={strategy === null ? 'This is no valid JSON yet' : check.error?.message}
              >
                {(attributes) => (
                  <textarea
                    {...attributes}
                    class="code"
                    rows={18}
                    spellcheck={false}
                    value={json}
                    onInput={({ currentTarget }) => setJson(currentTarget.value)}
                  />
                )}
              </Labelled>
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
          <section class="panel form" aria-label="What it is tried on">
            <AssetField value={asset} onChange={setAsset} fault={fieldFault(run.error, 'asset')} />
            <SelectField label="Interval" value={interval} options={intervals} onChange={setInterval} />
            <div class="fields">
              <InputField
                label="From"
                hint="empty: from the first candle"
                type="date"
                fault={fieldFault(run.error, 'from')}
                value={from}
                onChange={setFrom}
              />
              <InputField
                label="To"
                hint="empty: to the newest"
                type="date"
                fault={fieldFault(run.error, 'to')}
                value={to}
                onChange={setTo}
              />
            </div>
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

interface LinesProps {
  sheet: RuleSheet;
  kinds: ReturnType<typeof columnKinds>;
  error: AskError | null;
  onChange: (sheet: RuleSheet) => void;
}

const Lines = ({ sheet, kinds, error, onChange }: LinesProps) => (
  <>
    <ConditionLines
      title="Buy when"
      lines={sheet.entry}
      join={sheet.entryJoin}
      kinds={kinds}
      fault={lineFault(error, 'entry')}
      onChange={(entry, entryJoin) => onChange({ ...sheet, entry, entryJoin })}
    />
    <ConditionLines
      title="Sell when"
      lines={sheet.exit}
      join={sheet.exitJoin}
      kinds={kinds}
      fault={lineFault(error, 'exit')}
      onChange={(exit, exitJoin) => onChange({ ...sheet, exit, exitJoin })}
    />
    <DistanceField
      label="Stop loss"
      units={units}
      value={sheet.stopLoss}
      usual={{ unit: 'percent', value: 5 }}
      onChange={(stopLoss) => onChange({ ...sheet, stopLoss })}
    />
    <DistanceField
      label="Take profit"
      units={{ ...units, r: '× the stop' }}
      value={sheet.takeProfit}
      usual={{ unit: 'percent', value: 10 }}
      onChange={(takeProfit) => onChange({ ...sheet, takeProfit })}
    />
    <DistanceField
      label="Trailing stop"
      units={units}
      value={sheet.trailingStop}
      usual={{ unit: 'percent', value: 8 }}
      onChange={(trailingStop) => onChange({ ...sheet, trailingStop })}
    />
  </>
);

/** Where a fault lies: `strategy.long.entry.all[1].left`. */
function lineFault(error: AskError | null, part: 'entry' | 'exit') {
  const found =
    error && /^strategy\.long\.(entry|exit)\.(?:all|any)\[(\d+)\](?:\.(left|right))?/.exec(error.field ?? '');
  if (found?.[1] !== part) return null;
  return {
    line: Number(found[2]),
    side: (found[3] as 'left' | 'right' | undefined) ?? null,
    message: error!.message,
  };
}

function parsed(json: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
