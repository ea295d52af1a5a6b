import type { RoutePayload } from '../../client/routes.js';
import { useAction } from '../../client/use-action.js';
import { ActionFault } from '../../parts/action-fault.js';
import { Change } from '../../parts/change.js';
import { DataTable } from '../../parts/data-table.js';
import { capital, shareText } from '../../parts/formats.js';
import { Time } from '../../parts/time.js';

/** How the strategy does on time that its parameters were not chosen on. */
export function UnseenTime({ report }: { report: RoutePayload<'GET /backend/backtests/{id}'> }) {
  const run = useAction('POST /backend/analysis/walk-forward');
  const { asset, interval, tradeMarket, strategy } = report;
  const { done, isRunning, error } = run;
  return (
    <section class="panel" aria-labelledby="unseen">
      <header>
        <h2 id="unseen">Unseen time</h2>
        {!done && (
          <button
            type="button"
            class="plain small"
            disabled={isRunning}
            onClick={() =>
              run.run({
                asset,
                interval,
                tradeMarket,
                strategy,
              })
            }
          >
            {isRunning ? 'Computing…' : 'Show'}
          </button>
        )}
      </header>
      {!done && (
        <p class="quiet">Parameters chosen on one stretch of time, tried on the next, several times over.</p>
      )}
      <ActionFault error={error} />
      {done && (
        <>
          <p>
            <strong>{capital(done.verdict)}</strong>. {capital(done.reason)}.{' '}
            <span class="quiet">{shareText(done.profitableTests)} of the tries gained.</span>
          </p>
          <DataTable
            caption="Tries on unseen time"
            rows={done.folds}
            keyOf={({ outOfSample }) => outOfSample.from}
            columns={[
              {
                name: 'from',
                title: 'Unseen from',
                narrow: 'start',
                cell: ({ outOfSample }) => <Time at={outOfSample.from} to="day" />,
              },
              {
                name: 'seen',
                title: 'Seen',
                isNumber: true,
                narrow: 'below',
                cell: ({ inSample }) => <Change value={inSample.totalReturn} />,
              },
              {
                name: 'unseen',
                title: 'Unseen',
                isNumber: true,
                narrow: 'end',
                cell: ({ outOfSample }) => <Change value={outOfSample.totalReturn} />,
              },
              {
                name: 'hold',
                title: 'Buy and hold',
                isNumber: true,
                narrow: 'below-end',
                cell: ({ benchmark }) => <Change value={benchmark.totalReturn} />,
              },
            ]}
          />
        </>
      )}
    </section>
  );
}
