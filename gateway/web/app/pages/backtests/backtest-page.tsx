import { useAnswer } from '../../client/use-answer.js';
import { AskedAction, DialogButton } from '../../parts/dialogs.js';
import type { PageProps } from '../../shell/route.js';
import { backtestName, Compare, useCompared } from './compare.js';
import { Luck, UnseenTime } from './luck.js';
import { ReportPage } from './report.js';
import { ShareDialog } from './share-dialog.js';

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
            input={({ name, note }) => ({ id, name, note: note.trim() || null, isKept: true })}
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
            <UnseenTime report={report} />
          </div>
        </>
      )}
    </ReportPage>
  );
}
