import { useAction } from '../../client/use-action.js';
import { ActionFault } from '../../parts/action-fault.js';
import { numberText, percentText, shareText } from '../../parts/formats.js';
import { Section } from '../../parts/section.js';

/** How much of the result may be luck: the spread of results of the same trades and of similar markets. */
export function Luck({ id, isOwnRules = false }: { id: string; isOwnRules?: boolean }) {
  const run = useAction(
    isOwnRules ? 'POST /backend/research/runs/{id}/monte-carlo' : 'POST /backend/backtests/{id}/monte-carlo',
  );
  const { done, isRunning, error } = run;
  return (
    <Section
      title="Luck"
      tools={
        !done && (
          <button type="button" class="plain small" disabled={isRunning} onClick={() => run.run({ id })}>
            {isRunning ? 'Computing…' : 'Show'}
          </button>
        )
      }
    >
      {!done && (
        <p class="quiet">
          How the result spreads if trades, or the market itself, had come in another order.
        </p>
      )}
      <ActionFault error={error} />
      {done && (
        <>
          <Spread name="The same trades in another order" part={done.trades} reason={done.tradesReason} />
          <Spread name="Markets like this one" part={done.candles} reason={done.candlesReason} />
          {done.randomEntries ? (
            <p>
              Entries at random did as well or better in {shareText(done.randomEntries.pValue * 100)} of the
              runs{' '}
              <span class="quiet">
                (middle {percentText(done.randomEntries.totalReturn.p50)}, this one{' '}
                {percentText(done.randomEntries.actual)})
              </span>
              .
            </p>
          ) : (
            <p class="quiet">{done.randomEntriesReason}</p>
          )}
          <p class="quiet">{numberText(done.paths, 0)} runs.</p>
        </>
      )}
    </Section>
  );
}

interface SpreadProps {
  name: string;
  part: {
    totalReturn: { p5: number; p50: number; p95: number };
    probabilityOfLoss: { share: number | null };
  } | null;
  reason: string | null;
}

function Spread({ name, part, reason }: SpreadProps) {
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
