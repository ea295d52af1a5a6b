import { useEffect, useState } from 'preact/hooks';
import { useAction } from '../../client/use-action.js';
import { useAnswer } from '../../client/use-answer.js';
import { Button } from '../../parts/controls.js';
import { AskedAction, Dialog, DialogButton } from '../../parts/dialogs.js';
import { InputField } from '../../parts/fields.js';
import { ActionFault } from '../../parts/states.js';
import type { PageProps } from '../../shell/route.js';
import { backtestName, Compare, useCompared } from './compare.js';
import { Luck, UnseenTime } from './luck.js';
import { ReportPage } from './report.js';

/** The report of one backtest of the user. */
export function OneBacktestPage({ params: { id }, query }: PageProps) {
  const answer = useAnswer('GET /backend/backtests/{id}', { id });
  const compared = useCompared(query.get('with'));
  return (
    <ReportPage
      answer={answer}
      titleOf={(report) => `Backtest: ${backtestName(report)}`}
      about={({ strategy, asset, interval, period, source }) =>
        `${strategy} on ${asset} · ${interval} · ${period} · ${source}`
      }
      tools={(report) => (
        <>
          <AskedAction
            verb={report.isKept ? 'Kept' : 'Keep'}
            class="plain"
            title="Keep this backtest"
            verbNow="Save"
            route="PATCH /backend/backtests/{id}"
            fields={[
              { name: 'name', label: 'Name', required: true, maxLength: 80, value: backtestName(report) },
              { name: 'note', label: 'Note', rows: 3, maxLength: 500, value: report.note ?? '' },
            ]}
            question="Only you see the note."
            input={({ name, note }) => ({ id, name, note: note || null, isKept: true })}
          />
          {report.isKept && (
            <AskedAction
              verb="Keep no longer"
              class="plain"
              route="PATCH /backend/backtests/{id}"
              input={{ id, isKept: false }}
              question="It is deleted later, as those are that are not kept, and a shared link ends with it."
            />
          )}
          <DialogButton verb="Share" class="plain">
            {(close) => <ShareDialog id={id} onClose={close} />}
          </DialogButton>
          <DialogButton verb="Compare" class="plain">
            {(close) => <Compare id={id} chosen={compared.ids} onClose={close} />}
          </DialogButton>
        </>
      )}
      others={compared.lines}
      csv={`/backend/backtests/${id}/trades.csv`}
    >
      {(report) => (
        <>
          {compared.table(report)}
          <div class="columns">
            <Luck id={id} />
            <UnseenTime
              route="POST /backend/analysis/walk-forward"
              input={{
                asset: report.asset,
                interval: report.interval,
                tradeMarket: report.tradeMarket,
                strategy: report.strategy,
              }}
            />
          </div>
        </>
      )}
    </ReportPage>
  );
}

/** The link at which everybody reads the report, without its owner and notes. */
function ShareDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const shared = useAction('POST /backend/backtests/{id}/share');
  const stop = useAction('DELETE /backend/backtests/{id}/share');
  const [said, say] = useState('');
  useEffect(() => shared.run({ id }), []);
  const link = shared.done && new URL(shared.done.url, location.origin).href;
  const copy = async () =>
    say(
      await navigator.clipboard.writeText(link!).then(
        () => 'Copied',
        () => 'Select the link and copy it',
      ),
    );
  return (
    <Dialog title="Share this backtest" onClose={onClose}>
      {link && (
        <>
          <p>Everybody with this link can read the report. Your name and notes are not in it.</p>
          <InputField
            label="Link"
            readOnly
            value={link}
            onFocus={({ currentTarget }) => currentTarget.select()}
          />
          <p class="actions">
            {'clipboard' in navigator && (
              <Button class="" onClick={() => void copy()}>
                Copy link
              </Button>
            )}
            <Button class="plain" disabled={stop.isRunning} onClick={() => stop.run({ id }, onClose)}>
              Stop sharing
            </Button>
            <span role="status">{said}</span>
          </p>
        </>
      )}
      <ActionFault error={shared.error ?? stop.error} />
    </Dialog>
  );
}
