import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { RouteInput, RouteName, RoutePayload } from '../../client/routes.js';
import { useAnswer } from '../../client/use-answer.js';
import { Button } from '../../parts/controls.js';
import { column, DataTable } from '../../parts/data-table.js';
import { capital, inFull, percentText, shareText } from '../../parts/formats.js';
import { Lines } from '../../parts/lists.js';
import { Panel, Section } from '../../parts/page.js';

/** How much of the result may be luck: the spread of results of the same trades and of similar markets. */
export function Luck({ id, isOwnRules = false }: { id: string; isOwnRules?: boolean }) {
  const kind = isOwnRules ? 'research/runs' : 'backtests';
  return (
    <LaterSection
      title="Luck"
      purpose="How the result spreads if trades, or the market itself, had come in another order."
      route={`POST /backend/${kind}/{id}/monte-carlo`}
      input={{ id }}
    >
      {({ trades, tradesReason, candles, candlesReason, randomEntries, randomEntriesReason, paths }) => (
        <>
          <Spread name="The same trades in another order" part={trades} />
          <Spread name="Markets like this one" part={candles} />
          {randomEntries && (
            <p>
              Entries at random did as well or better in {shareText(randomEntries.pValue * 100)} of the runs{' '}
              <span class="quiet">
                (middle {percentText(randomEntries.totalReturn.p50)}, this one{' '}
                {percentText(randomEntries.actual)})
              </span>
              .
            </p>
          )}
          <Lines
            class="quiet"
            of={[tradesReason, candlesReason, randomEntriesReason, `${inFull(paths)} runs`]}
          />
        </>
      )}
    </LaterSection>
  );
}

type Part = RoutePayload<'POST /backend/backtests/{id}/monte-carlo'>['trades' | 'candles'];

function Spread({ name, part }: { name: string; part: Part }) {
  if (!part) return null;
  const { p5, p50, p95 } = part.totalReturn;
  return (
    <p>
      {name}:{' '}
      <strong class="figure">
        {percentText(p5, 0)} … {percentText(p95, 0)}
      </strong>{' '}
      <span class="quiet">
        in nine of ten runs, middle {percentText(p50, 0)}
        {part.probabilityOfLoss.share !== null && `, a loss in ${shareText(part.probabilityOfLoss.share)}`}
      </span>
    </p>
  );
}

type WalkRoute = 'POST /backend/analysis/walk-forward' | 'POST /backend/research/walk-forward';
type Fold = RoutePayload<WalkRoute>['folds'][number];

/** How the strategy does on time that its parameters were not chosen on. */
export function UnseenTime({ route, input }: { route: WalkRoute; input: object }) {
  return (
    <LaterSection
      title="Unseen time"
      purpose="Parameters chosen on one stretch of time, tried on the next, several times over."
      route={route}
      input={input as RouteInput<WalkRoute>}
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
              column.time('Unseen from', ({ outOfSample }) => outOfSample.from, 'start', 'day'),
              column.change('Seen', ({ inSample }) => inSample.totalReturn, 'below'),
              column.change('Unseen', ({ outOfSample }) => outOfSample.totalReturn, 'end'),
              column.change('Buy and hold', ({ benchmark }) => benchmark.totalReturn, 'below-end'),
            ]}
          />
        </>
      )}
    </LaterSection>
  );
}

interface LaterSectionProps<R extends RouteName> {
  title: string;
  /** What it would show. */
  purpose: string;
  route: R;
  input: RouteInput<R>;
  children: (payload: RoutePayload<R>) => ComponentChildren;
}

/** A part of a page that takes long to compute, and is when the reader asks for it. */
function LaterSection<R extends RouteName>(props: LaterSectionProps<R>) {
  const { title, purpose, route, input, children } = props;
  const [isWanted, setWanted] = useState(false);
  const answer = useAnswer(route, isWanted ? input : null, null);
  if (isWanted) return <Panel {...{ title, answer, children }} />;
  return (
    <Section title={title} tools={<Button onClick={() => setWanted(true)}>Show</Button>}>
      <p class="quiet">{purpose}</p>
    </Section>
  );
}
