import { useAnswer } from '../../client/use-answer.js';
import type { PageProps } from '../../shell/route.js';
import { ReportPage } from './report.js';

/** A backtest that its owner shares: the report to read, for everybody with the link. */
export const SharedPage = ({ params: { token } }: PageProps) => (
  <ReportPage
    answer={useAnswer('GET /backend/shared/{token}', { token })}
    titleOf={({ strategy, asset }) => `Backtest: ${strategy} on ${asset}`}
    about={({ interval, period, source }) => `${interval} · ${period} · ${source}`}
  />
);
