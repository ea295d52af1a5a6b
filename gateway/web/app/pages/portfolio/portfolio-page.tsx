import type { RoutePayload } from '../../client/routes.js';
import { useAnswer } from '../../client/use-answer.js';
import { Change, DayChange, Time } from '../../parts/marks.js';
import { FigureList, Lines } from '../../parts/lists.js';
import { AskedAction } from '../../parts/dialogs.js';
import { numberText, percentText, shareText } from '../../parts/formats.js';
import { LazyEquityChart } from '../../charts/lazy-charts.js';
import { PageHead, Panel } from '../../parts/page.js';
import { Accounts, Positions, Profits } from './holdings.js';

type Day = RoutePayload<'GET /backend/equity'>['days'][number];

/** What the user holds, how it went, and what would hurt. */
export function PortfolioPage() {
  const portfolio = useAnswer('GET /backend/portfolio', {}, ['position']);
  const balances = useAnswer('GET /backend/balances', {}, ['position']);
  const equity = useAnswer('GET /backend/equity', { period: '90d', benchmark: 'BTC' }, ['position']);
  const exchanges = useAnswer('GET /backend/exchanges', {}, ['position']);
  return (
    <>
      <PageHead
        title="Portfolio"
        tools={
          <AskedAction
            verb="Add a paper holding"
            verbNow="Add"
            class="plain"
            question="Paper money: prices are real, nothing is bought."
            route="POST /backend/exchanges"
            fields={[
              { name: 'asset', label: 'Asset', type: 'asset', value: 'BTC' },
              { name: 'quantity', label: 'Quantity', type: 'decimal', value: '0.1', required: true },
            ]}
            input={({ asset, quantity }) => ({ exchange: 'PAPER', holdings: [{ asset, quantity }] })}
          />
        }
      >
        {balances.data && (
          <p class="headline">
            <strong class="figure">{numberText(balances.data.totalValue)}</strong> USDT{' '}
            <DayChange equity={equity.data} word="today" />
          </p>
        )}
      </PageHead>
      <Positions answer={portfolio} />
      <div class="beside">
        <Panel title="Equity" answer={equity} size={30}>
          {({ days, returnPercent, maxDrawdownPercent, benchmarkReturnPercent, benchmark }) =>
            days.length < 2 ? (
              'The worth of each day is drawn here from the second day on.'
            ) : (
              <>
                <p>
                  Since <Time at={days[0].day} to="day" /> <Change value={returnPercent} />, {benchmark}{' '}
                  <Change value={benchmarkReturnPercent} />, drawdown {percentText(maxDrawdownPercent)}.{' '}
                  <span class="quiet">100 is the first day; deposits do not count as gain.</span>
                </p>
                <LazyEquityChart
                  label={`Equity of ${days.length} days against ${benchmark}`}
                  lines={[
                    { name: 'portfolio', points: pointsOf(days, 'index') },
                    { name: benchmark, points: pointsOf(days, 'benchmarkIndex') },
                  ]}
                  drawdown={pointsOf(days, 'drawdownPercent')}
                  trades={days
                    .filter(({ flow }) => Number(flow) !== 0)
                    .map((each) => ({ from: timeOf(each), to: timeOf(each), gained: Number(each.flow) > 0 }))}
                />
                <p class="quiet">At the foot: deposits, high, and withdrawals, low.</p>
              </>
            )
          }
        </Panel>
        <Panel title="Worth by asset" answer={balances} size={14}>
          {({ balances: rows }) =>
            rows.length === 0 ? (
              'Nothing is held yet.'
            ) : (
              <FigureList
                rows={rows.map(({ exchange, account, asset, value, sharePercent }) => [
                  asset,
                  account === 'SPOT' ? exchange : `${exchange} ${account.toLowerCase()}`,
                  <>
                    {numberText(value)} <span class="quiet">{shareText(sharePercent)}</span>
                  </>,
                ])}
              />
            )
          }
        </Panel>
      </div>
      <div class="columns">
        <Profits />
        {portfolio.data && portfolio.data.positions.length > 0 && <Hurt />}
        <Accounts answer={exchanges} />
      </div>
    </>
  );
}

/** Days stand at their start, the last row at this moment. */
const timeOf = ({ day, isNow }: Day): number =>
  isNow ? Math.floor(Date.now() / 60_000) * 60 : Date.parse(day) / 1_000;

/** A figure of each day that has one. */
const pointsOf = (days: readonly Day[], name: 'index' | 'benchmarkIndex' | 'drawdownPercent') =>
  days.flatMap((each) => (each[name] === null ? [] : [{ time: timeOf(each), value: each[name] }]));

/** What a bad day would cost. */
const Hurt = () => (
  <Panel
    title="What would hurt"
    answer={useAnswer('POST /backend/portfolio/risk', {}, ['position'])}
    size={10}
  >
    {({ before: { tail95, tail95Reason, beta, betaReason, concentration }, notes }) => (
      <>
        {tail95 && (
          <p>
            On the worst day of twenty: <strong class="figure">{numberText(-tail95.varValue)} USDT</strong> or
            more, <span class="figure">{numberText(-tail95.cvarValue)}</span> in the middle of such days.
          </p>
        )}
        {typeof beta?.beta === 'number' && <p>When BTC falls 10 %: about {percentText(-10 * beta.beta)}.</p>}
        {concentration && (
          <p>
            The largest part is {concentration.largest}, {shareText(concentration.largestPercent)}.
          </p>
        )}
        <Lines class="quiet" of={[tail95Reason, betaReason ?? beta?.reason, ...notes]} />
      </>
    )}
  </Panel>
);
