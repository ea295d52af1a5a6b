import type { ComponentChildren } from 'preact';
import type { RoutePayload } from '../../client/routes.js';
import type { EquityLine } from '../../charts/equity-chart.js';
import { Change } from '../../parts/change.js';
import { numberText, percentText, plainWords, sentence, shareText } from '../../parts/formats.js';
import { LazyEquityChart } from '../../charts/lazy-charts.js';
import { Months } from './months.js';
import { Trades, type ShownTrade } from './trades.js';
import { Section } from '../../parts/section.js';

type FullReport = RoutePayload<'GET /backend/backtests/{id}'>;

/** What a report of a built-in strategy and one of own rules have in common. */
export type ShownReport = Pick<
  FullReport,
  | 'totalReturn'
  | 'winRate'
  | 'sharpe'
  | 'maxDrawdown'
  | 'tradeCount'
  | 'profitFactor'
  | 'exposure'
  | 'benchmark'
  | 'equity'
  | 'months'
  | 'window'
  | 'notes'
> & {
  trades: readonly ShownTrade[];
  assumptions: Pick<FullReport['assumptions'], 'feePercent' | 'slippagePercent' | 'fill' | 'initialEquity'>;
  lookAheadCheck: Pick<FullReport['lookAheadCheck'], 'candles' | 'differences'>;
};

interface ReportProps {
  title: string;
  report: ShownReport;
  /** Others to compare it with. */
  others?: readonly EquityLine[];
  csv?: string;
  children?: ComponentChildren;
}

/** A backtest as a whole: figures, equity against buy and hold, months, trades. */
export function ReportView({ title, report, others = [], csv, children }: ReportProps) {
  const { equity, benchmark, assumptions, lookAheadCheck, trades, notes, months } = report;
  const drawdown = equity.map(({ time, drawdownPercent }) => ({ time, value: drawdownPercent }));
  const held = equity.flatMap(({ time, benchmark: value }) => (value === null ? [] : [{ time, value }]));
  return (
    <>
      <section class="panel" aria-label="Figures">
        <dl class="tiles">
          <Tile name="Total return" value={<Change value={report.totalReturn} />} />
          <Tile name="Buy and hold" value={<Change value={benchmark.totalReturn} />} />
          <Tile name="Drawdown" value={percentText(report.maxDrawdown)} />
          <Tile name="Sharpe" value={numberText(report.sharpe)} />
          <Tile name="Win rate" value={shareText(report.winRate)} />
          <Tile name="Trades" value={String(report.tradeCount)} />
          <Tile name="Profit factor" value={numberText(report.profitFactor)} />
          <Tile name="In the market" value={shareText(report.exposure)} />
        </dl>
        <p>
          {lookAheadCheck.differences === 0 ? '✓ Checks passed' : '✗ Checks failed'}: no look-ahead (
          {lookAheadCheck.candles} candles compared) · fills at the {assumptions.fill} · fee{' '}
          {givenShare(assumptions.feePercent)} and slippage {givenShare(assumptions.slippagePercent)} a side
        </p>
        {notes.map((note) => (
          <p key={note} class="quiet">
            {sentence(plainWords(note))}
          </p>
        ))}
      </section>
      <Section title="Equity">
        <LazyEquityChart
          label={`Equity of ${title} against buy and hold, ${report.window.from.slice(0, 10)} to ${report.window.to.slice(0, 10)}`}
          lines={[
            { name: 'strategy', points: equity },
            ...(held.length > 0 ? [{ name: 'buy and hold', points: held }] : []),
            ...others,
          ]}
          drawdown={drawdown}
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

const Tile = ({ name, value }: { name: string; value: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd class="figure">{value}</dd>
  </div>
);

/** A rate as it was given. */
const givenShare = (percent: number): string => `${percent}\u00a0%`;
