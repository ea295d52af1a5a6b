import type { RoutePayload } from '../../client/routes.js';
import { changeColumn, DataTable, timeColumn } from '../../parts/data-table.js';
import { capital, shareText } from '../../parts/formats.js';
import { LaterSection } from '../../parts/later-section.js';

type Fold = RoutePayload<'POST /backend/analysis/walk-forward'>['folds'][number];

/** How the strategy does on time that its parameters were not chosen on. */
export function UnseenTime({ report }: { report: RoutePayload<'GET /backend/backtests/{id}'> }) {
  const { asset, interval, tradeMarket, strategy } = report;
  return (
    <LaterSection
      title="Unseen time"
      purpose="Parameters chosen on one stretch of time, tried on the next, several times over."
      route="POST /backend/analysis/walk-forward"
      input={{ asset, interval, tradeMarket, strategy }}
    >
      {({ verdict, reason, profitableTests, folds }) => (
        <>
          <p>
            <strong>{capital(verdict)}</strong>. {capital(reason)}.{' '}
            <span class="quiet">{shareText(profitableTests)} of the tries gained.</span>
          </p>
          <DataTable<Fold>
            caption="Tries on unseen time"
            rows={folds}
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
    </LaterSection>
  );
}
