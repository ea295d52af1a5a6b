import type { ComponentChildren } from 'preact';
import type { EquityLine } from '../../charts/equity-chart.js';
import { LazyEquityChart } from '../../charts/lazy-charts.js';
import type { RoutePayload } from '../../client/routes.js';
import type { ShownAnswer } from '../../client/use-answer.js';
import { inFull, numberText, percentText, plainWords, shareText } from '../../parts/formats.js';
import { Lines } from '../../parts/lists.js';
import { Change } from '../../parts/marks.js';
import { AnswerFault, PageHead, Panel, Section } from '../../parts/page.js';
import { route } from '../../shell/route.js';
import { Months, Trades } from './trades.js';

/** A report of a built-in strategy, or of own rules. */
type ShownReport = RoutePayload<
  | 'GET /backend/backtests/{id}'
  | 'GET /backend/shared/{token}'
  | 'GET /backend/research/runs/{id}'
  | 'POST /backend/research/backtest'
>;

interface ReportViewProps {
  title: string;
  report: ShownReport;
  /** Others to compare it with. */
  others?: readonly EquityLine[];
  /** Where the trades are as CSV; only its owner has it. */
  csv?: string;
  children?: ComponentChildren;
}

/** A backtest as a whole: figures, equity against buy and hold, months, trades. */
export function ReportView({ title, report, others = [], csv, children }: ReportViewProps) {
  const { equity, assumptions, lookAheadCheck, trades, notes, months, window } = report;
  const held = equity.flatMap(({ time, benchmark: value }) => (value === null ? [] : [{ time, value }]));
  return (
    <>
      <section class="panel" aria-label="Figures">
        <dl class="tiles">
          {tilesOf(report).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd class="figure">{value}</dd>
            </div>
          ))}
        </dl>
        <p>
          {lookAheadCheck.differences === 0 ? '✓ Checks passed' : '✗ Checks failed'}: no look-ahead (
          {lookAheadCheck.candles} candles compared) · fills at the {assumptions.fill} · fee{' '}
          {assumptions.feePercent}&nbsp;% and slippage {assumptions.slippagePercent}&nbsp;% a side
        </p>
        <Lines class="quiet" of={notes.map(plainWords)} />
      </section>
      <Section title="Equity">
        <LazyEquityChart
          label={`Equity of ${title} against buy and hold, ${window.from.slice(0, 10)} to ${window.to.slice(0, 10)}`}
          lines={[
            { name: 'strategy', points: equity },
            ...(held.length > 0 ? [{ name: 'buy and hold', points: held }] : []),
            ...others,
          ]}
          drawdown={equity.map(({ time, drawdownPercent: value }) => ({ time, value }))}
          trades={trades.map(({ entryTime, exitTime, return: gain }) => ({
            from: Date.parse(entryTime) / 1_000,
            to: Date.parse(exitTime) / 1_000,
            gained: gain > 0,
          }))}
          unit="USDT"
        />
        <p class="quiet">At the foot: when something was held, high where it gained, low where it lost.</p>
      </Section>
      <Months months={months} />
      {children}
      <Trades trades={trades} csv={csv} />
    </>
  );
}

const tilesOf = (report: ShownReport): [string, ComponentChildren][] => [
  ['Total return', <Change value={report.totalReturn} />],
  ['Buy and hold', <Change value={report.benchmark.totalReturn} />],
  ['Drawdown', percentText(report.maxDrawdown)],
  ['Sharpe', numberText(report.sharpe)],
  ['Win rate', shareText(report.winRate)],
  ['Trades', inFull(report.tradeCount)],
  ['Profit factor', numberText(report.profitFactor)],
  ['In the market', shareText(report.exposure)],
];

interface ReportPageProps<Report> extends Pick<ReportViewProps, 'others' | 'csv'> {
  answer: ShownAnswer<Report>;
  titleOf: (report: Report) => string;
  /** What was asked, beside the title. */
  about: (report: Report) => string;
  tools?: (report: Report) => ComponentChildren;
  children?: (report: Report) => ComponentChildren;
}

/** A page of one report: its head, and the report once it is there. */
export function ReportPage<Report extends ShownReport>(props: ReportPageProps<Report>) {
  const { answer, titleOf, about, tools, children, ...view } = props;
  const report = answer.data;
  const title = report ? titleOf(report) : route.value.place!.title;
  const under = view.csv === undefined ? undefined : '/app/backtests';
  return (
    <>
      <PageHead title={title} under={under} tools={report && tools?.(report)}>
        {report && <span class="quiet">{about(report)}</span>}
      </PageHead>
      {report ? (
        <>
          <AnswerFault answer={answer} />
          <ReportView title={title} report={report} {...view}>
            {children?.(report)}
          </ReportView>
        </>
      ) : (
        <Panel title="Report" answer={answer} size={40} />
      )}
    </>
  );
}
