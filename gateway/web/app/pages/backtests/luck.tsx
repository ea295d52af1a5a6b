import { inFull, percentText, shareText } from '../../parts/formats.js';
import type { RoutePayload } from '../../client/routes.js';
import { LaterSection } from '../../parts/later-section.js';

/** How much of the result may be luck: the spread of results of the same trades and of similar markets. */
export function Luck({ id, isOwnRules = false }: { id: string; isOwnRules?: boolean }) {
  return (
    <LaterSection
      title="Luck"
      purpose="How the result spreads if trades, or the market itself, had come in another order."
      route={
        isOwnRules
          ? 'POST /backend/research/runs/{id}/monte-carlo'
          : 'POST /backend/backtests/{id}/monte-carlo'
      }
      input={{ id }}
    >
      {({ trades, tradesReason, candles, candlesReason, randomEntries, randomEntriesReason, paths }) => (
        <>
          <Spread name="The same trades in another order" part={trades} reason={tradesReason} />
          <Spread name="Markets like this one" part={candles} reason={candlesReason} />
          {randomEntries ? (
            <p>
              Entries at random did as well or better in {shareText(randomEntries.pValue * 100)} of the runs{' '}
              <span class="quiet">
                (middle {percentText(randomEntries.totalReturn.p50)}, this one{' '}
                {percentText(randomEntries.actual)})
              </span>
              .
            </p>
          ) : (
            <p class="quiet">{randomEntriesReason}</p>
          )}
          <p class="quiet">{inFull(paths)} runs.</p>
        </>
      )}
    </LaterSection>
  );
}

type Part = RoutePayload<'POST /backend/backtests/{id}/monte-carlo'>['trades' | 'candles'];

function Spread({ name, part, reason }: { name: string; part: Part; reason: string | null }) {
  if (!part) return <p class="quiet">{reason}</p>;
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
