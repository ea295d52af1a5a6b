import { useState } from 'preact/hooks';
import { useAnswer } from '../../client/use-answer.js';
import { Change } from '../../parts/change.js';
import { FigureList } from '../../parts/figure-list.js';
import { numberText, percentText, sentence, shareText } from '../../parts/formats.js';
import { LazyEquityChart } from '../../charts/lazy-charts.js';
import { PageHead } from '../../parts/page-head.js';
import { Panel } from '../../parts/panel.js';
import { Time } from '../../parts/time.js';
import { Accounts } from './accounts.js';
import { PaperDialog } from './paper-dialog.js';
import { Positions } from './positions.js';
import { Profits } from './profits.js';

/** What the user holds, how it went, and what would hurt. */
export function PortfolioPage() {
  const portfolio = useAnswer('GET /backend/portfolio', {}, ['position']);
  const balances = useAnswer('GET /backend/balances', {}, ['position']);
  const equity = useAnswer('GET /backend/equity', { period: '90d', benchmark: 'BTC' });
  const exchanges = useAnswer('GET /backend/exchanges', {}, ['position']);
  const [isAdding, setAdding] = useState(false);
  const [before, now] = equity.data?.days.slice(-2) ?? [];
  const isEmpty = portfolio.data?.positions.length === 0;
  const readAgain = () => [portfolio, balances, equity, exchanges].forEach(({ again }) => again());
  return (
    <>
      <PageHead
        title="Portfolio"
        tools={
          <button type="button" class="plain" onClick={() => setAdding(true)}>
            Add a paper holding
          </button>
        }
      >
        {balances.data && (
          <p class="headline">
            <strong class="figure">{numberText(balances.data.totalValue)}</strong> USDT
            {before && now && (
              <>
                {' '}
                today <Change value={(now.index / before.index - 1) * 100} />
              </>
            )}
          </p>
        )}
      </PageHead>
      <Panel title="Positions" answer={portfolio} size={14}>
        {({ positions }) => (
          <Positions
            positions={positions}
            empty={
              <>
                Nothing is held yet. “Add a paper holding” takes two clicks, or{' '}
                <a href="/account/exchanges">connect an exchange</a>.
              </>
            }
          />
        )}
      </Panel>
      <div class="beside">
        <Panel title="Equity" answer={equity} size={30}>
          {({ days, returnPercent, maxDrawdownPercent, benchmarkReturnPercent, benchmark }) =>
            days.length < 2 ? (
              <p class="empty">The worth of each day is drawn here from the second day on.</p>
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
                    {
                      name: 'portfolio',
                      points: days.map((each) => ({ time: secondsOf(each), value: each.index })),
                    },
                    {
                      name: benchmark,
                      points: days.flatMap((each) =>
                        each.benchmarkIndex === null
                          ? []
                          : [{ time: secondsOf(each), value: each.benchmarkIndex }],
                      ),
                    },
                  ]}
                  drawdown={days.map((each) => ({ time: secondsOf(each), value: each.drawdownPercent }))}
                  unit=""
                />
              </>
            )
          }
        </Panel>
        <Panel title="Worth by asset" answer={balances} size={14}>
          {({ balances: rows }) =>
            rows.length === 0 ? (
              <p class="empty">Nothing is held yet.</p>
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
        {isEmpty === false && <Hurt />}
        <Accounts answer={exchanges} />
      </div>
      {isAdding && <PaperDialog onClose={() => setAdding(false)} onAdded={readAgain} />}
    </>
  );
}

/** Days stand at their start, the last row at this moment. */
const secondsOf = ({ day, isNow }: { day: string; isNow: boolean }): number =>
  isNow ? Math.floor(Date.now() / 60_000) * 60 : Date.parse(day) / 1_000;

/** What a bad day would cost. */
function Hurt() {
  const answer = useAnswer('POST /backend/portfolio/risk', {}, ['position']);
  return (
    <Panel title="What would hurt" answer={answer} size={10}>
      {({ before: { tail95, tail95Reason, beta, betaReason, concentration }, notes }) => (
        <>
          {tail95 ? (
            <p>
              On the worst day of twenty: <strong class="figure">{numberText(-tail95.varValue)} USDT</strong>{' '}
              or more, <span class="figure">{numberText(-tail95.cvarValue)}</span> in the middle of such days.
            </p>
          ) : (
            <p class="quiet">{tail95Reason}</p>
          )}
          {typeof beta?.beta === 'number' ? (
            <p>When BTC falls 10 %: about {percentText(-10 * beta.beta)}.</p>
          ) : (
            <p class="quiet">{betaReason ?? beta?.reason}</p>
          )}
          {concentration && (
            <p>
              The largest part is {concentration.largest}, {shareText(concentration.largestPercent)}.
            </p>
          )}
          {notes.map((note) => (
            <p key={note} class="quiet">
              {sentence(note)}
            </p>
          ))}
        </>
      )}
    </Panel>
  );
}
