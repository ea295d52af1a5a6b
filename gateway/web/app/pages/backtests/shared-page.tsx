import { useAnswer } from '../../client/use-answer.js';
import type { PageProps } from '../../shell/shown-page.js';
import { ReportPage } from './report-page.js';

/** A backtest that its owner shares: the report to read, for everybody with the link. */
export function SharedPage({ params: { token } }: PageProps) {
  const answer = useAnswer('GET /backend/shared/{token}', { token });
  const report = answer.data;
  const title = report ? `Backtest: ${report.strategy} on ${report.asset}` : 'Shared backtest';
  return (
    <ReportPage
      answer={answer}
      title={title}
      about={({ interval, period, source }) => `${interval} · ${period} · ${source}`}
    />
  );
}
