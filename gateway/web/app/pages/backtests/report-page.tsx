import type { ComponentChildren } from 'preact';
import type { EquityLine } from '../../charts/equity-chart.js';
import type { ShownAnswer } from '../../client/use-answer.js';
import { PageHead } from '../../parts/page-head.js';
import { Panel } from '../../parts/panel.js';
import { ReportView, type ShownReport } from './report.js';

interface ReportPageProps<Report> {
  answer: ShownAnswer<Report>;
  title: string;
  /** What was asked, beside the title. */
  about: (report: Report) => ComponentChildren;
  tools?: ComponentChildren;
  others?: readonly EquityLine[];
  /** Where the trades are as CSV; only its owner has it. */
  csv?: string;
  children?: (report: Report) => ComponentChildren;
}

/** A page of one report: its head, and the report once it is there. */
export function ReportPage<Report extends ShownReport>({
  answer,
  title,
  about,
  tools,
  children,
  ...view
}: ReportPageProps<Report>) {
  const report = answer.data;
  return (
    <>
      {view.csv !== undefined && (
        <p class="path">
          <a href="/app/backtests">Backtests</a> ›
        </p>
      )}
      <PageHead title={title} tools={report ? tools : undefined}>
        {report && <span class="quiet">{about(report)}</span>}
      </PageHead>
      {report ? (
        <ReportView title={title} report={report} {...view}>
          {children?.(report)}
        </ReportView>
      ) : (
        <Panel title="Report" answer={answer} size={40}>
          {() => null}
        </Panel>
      )}
    </>
  );
}
