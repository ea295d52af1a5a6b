import type { RoutePayload } from '../../client/routes.js';
import { useAction } from '../../client/use-action.js';
import { ActionFault } from '../../parts/action-fault.js';
import { changeColumn, timeColumn } from '../../parts/columns.js';
import { DataTable } from '../../parts/data-table.js';
import { capital, shareText } from '../../parts/formats.js';
import { Section } from '../../parts/section.js';

type Fold = RoutePayload<'POST /backend/analysis/walk-forward'>['folds'][number];

/** How the strategy does on time that its parameters were not chosen on. */
export function UnseenTime({ report }: { report: RoutePayload<'GET /backend/backtests/{id}'> }) {
  const run = useAction('POST /backend/analysis/walk-forward');
  const { asset, interval, tradeMarket, strategy } = report;
  const { done, isRunning, error } = run;
  return (
    <Section
      title="Unseen time"
      tools={
        !done && (
          <button
            type="button"
            class="plain small"
            disabled={isRunning}
            onClick={() => run.run({ asset, interval, tradeMarket, strategy })}
          >
            {isRunning ? 'Computing…' : 'Show'}
          </button>
        )
      }
    >
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
          <DataTable<Fold>
            caption="Tries on unseen time"
            rows={done.folds}
            keyOf={({ outOfSample }) => outOfSample.from}
            columns={[
              timeColumn('Unseen from', ({ outOfSample }) => outOfSample.from, 'start', 'day'),
              changeColumn('Seen', ({ inSample }) => inSample.totalReturn, 'below'),
              changeColumn('Unseen', ({ outOfSample }) => outOfSample.totalReturn, 'end'),
              changeColumn('Buy and hold', ({ benchmark }) => benchmark.totalReturn, 'below-end'),
            ]}
          />
        </>
      )}
    </Section>
  );
}
