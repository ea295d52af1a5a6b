import type { RouteInput } from '../../client/routes.js';
import { useAnswer } from '../../client/use-answer.js';
import { PageHead } from '../../parts/page-head.js';
import { Panel } from '../../parts/panel.js';
import { go } from '../../shell/route.js';
import type { PageProps } from '../../shell/shown-page.js';
import { AskedAction } from '../../parts/asked-action.js';
import { ReportView } from './report.js';

type CheckInput = RouteInput<'POST /backend/research/check'>;

/** The report of a run of own rules, with the rules in plain English. */
export function OneRunPage({ params: { id } }: PageProps) {
  const answer = useAnswer('GET /backend/research/runs/{id}', { id });
  const report = answer.data;
  const rules = useAnswer(
    report ? 'POST /backend/research/check' : null,
    report && { strategy: report.rules as CheckInput['strategy'], interval: report.interval },
  );
  const title = report ? `Backtest: own rules on ${report.assets.join(', ')}` : 'Backtest';
  return (
    <>
      <p class="path">
        <a href="/app/backtests">Backtests</a> ›
      </p>
      <PageHead
        title={title}
        tools={
          report && (
            <AskedAction
              route="DELETE /backend/research/runs/{id}"
              input={{ id }}
              verb="Delete"
              label="Delete this backtest"
              question="The report and its trades are gone then. The rules stay where they are saved."
              onDone={() => go('/app/backtests')}
            />
          )
        }
      >
        {report && (
          <span class="quiet">
            {report.interval} · {report.window.from.slice(0, 10)} to {report.window.to.slice(0, 10)} ·{' '}
            {report.source}
          </span>
        )}
      </PageHead>
      {report ? (
        <ReportView title={title} report={report} csv={`/backend/research/runs/${id}/trades.csv`}>
          <Panel title="Rules" answer={rules}>
            {(checked) => checked.rules.map((sentence) => <p key={sentence}>{sentence}</p>)}
          </Panel>
        </ReportView>
      ) : (
        <Panel title="Report" answer={answer} size={40}>
          {() => null}
        </Panel>
      )}
    </>
  );
}
