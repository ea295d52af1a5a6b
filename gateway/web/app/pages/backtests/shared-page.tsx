import { useAnswer } from '../../client/use-answer.js';
import { PageHead } from '../../parts/page-head.js';
import { Panel } from '../../parts/panel.js';
import type { PageProps } from '../../shell/shown-page.js';
import { ReportView } from './report.js';

/** A backtest that its owner shares: the report to read, for everybody with the link. */
export function SharedPage({ params: { token } }: PageProps) {
  const answer = useAnswer('GET /backend/shared/{token}', { token });
  const report = answer.data;
  const title = report ? `Backtest: ${report.strategy} on ${report.asset}` : 'Shared backtest';
  return (
    <>
      <PageHead title={title}>
        {report && (
          <span class="quiet">
            {report.interval} · {report.period} · {report.source}
          </span>
        )}
      </PageHead>
      {report ? (
        <ReportView title={title} report={report} />
      ) : (
        <Panel title="Report" answer={answer} size={40}>
          {() => null}
        </Panel>
      )}
    </>
  );
}
