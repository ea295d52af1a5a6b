import { useState } from 'preact/hooks';
import { useAnswer } from '../../client/use-answer.js';
import type { PageProps } from '../../shell/shown-page.js';
import { Compare, useCompared } from './compare.js';
import { KeepDialog } from './keep-dialog.js';
import { Luck } from './luck.js';
import { ReportPage } from './report-page.js';
import { ShareDialog } from './share-dialog.js';
import { UnseenTime } from './unseen-time.js';

/** The report of one backtest of the user. */
export function OneBacktestPage({ params: { id }, query }: PageProps) {
  const answer = useAnswer('GET /backend/backtests/{id}', { id });
  const compared = useCompared(query.get('with'));
  const [opened, setOpened] = useState<'keep' | 'share' | 'compare' | null>(null);
  const close = () => setOpened(null);
  const report = answer.data;
  const title = report ? `Backtest: ${report.name ?? `${report.strategy} on ${report.asset}`}` : 'Backtest';
  return (
    <>
      <ReportPage
        answer={answer}
        title={title}
        about={({ strategy, asset, interval, period, source }) =>
          `${strategy} on ${asset} · ${interval} · ${period} · ${source}`
        }
        tools={
          <>
            <button type="button" class="plain" onClick={() => setOpened('keep')}>
              {report?.isKept ? 'Kept' : 'Keep'}
            </button>
            <button type="button" class="plain" onClick={() => setOpened('share')}>
              Share
            </button>
            <button type="button" class="plain" onClick={() => setOpened('compare')}>
              Compare
            </button>
          </>
        }
        others={compared.lines}
        csv={`/backend/backtests/${id}/trades.csv`}
      >
        {(shown) => (
          <>
            {compared.table(shown)}
            <div class="columns">
              <Luck id={id} />
              <UnseenTime report={shown} />
            </div>
          </>
        )}
      </ReportPage>
      {report && opened === 'keep' && <KeepDialog report={report} onClose={close} onSaved={answer.again} />}
      {report && opened === 'share' && (
        <ShareDialog report={report} onClose={close} onChanged={answer.again} />
      )}
      {opened === 'compare' && <Compare id={id} chosen={compared.ids} onClose={close} />}
    </>
  );
}
