import { useEffect, useRef } from 'preact/hooks';
import type { RoutePayload } from '../../client/routes.js';
import { numberText, percentText, priceText } from '../../parts/formats.js';
import { StateMark, Time } from '../../parts/marks.js';

type FlipAnswer = RoutePayload<'POST /backend/core-line/flip-intelligence'>;
type Flip = FlipAnswer['flips'][number];

/** The latest flips, each with what it rested on and what followed; `opened` is one that the reader chose on the chart. */
export function Flips({ data: { flips, flipPrice }, opened }: { data: FlipAnswer; opened: string | null }) {
  if (flips.length === 0) return <p class="empty">No flip in the stored candles.</p>;
  return (
    <>
      {flipPrice?.targets.map(
        ({ to, nearest }) =>
          nearest && (
            <p key={to}>
              Flips to <StateMark state={to} /> at <strong class="figure">{priceText(nearest.close)}</strong>{' '}
              ({percentText(nearest.percent)})
            </p>
          ),
      )}
      <ul class="flips">
        {flips.map((flip) => (
          <li key={flip.date}>
            <FlipEvidence flip={flip} isOpened={flip.date === opened} />
          </li>
        ))}
      </ul>
    </>
  );
}

function FlipEvidence({ flip, isOpened }: { flip: Flip; isOpened: boolean }) {
  const { date, from, to, close, conditions, explanation, outcome } = flip;
  const ref = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (!isOpened || !ref.current) return;
    ref.current.open = true;
    ref.current.scrollIntoView({ block: 'nearest' });
    ref.current.querySelector('summary')?.focus();
  }, [isOpened]);
  return (
    <details ref={ref}>
      <summary>
        <Time at={date} to="date" /> <StateMark state={from} text="" /> <span aria-hidden="true">→</span>{' '}
        <StateMark state={to} /> <span class="figure end">{priceText(close)}</span>
      </summary>
      <p>{explanation}</p>
      <ul class="evidence">
        {conditions.map(({ name, asks, held, value, threshold }) => (
          <li key={name}>
            <span aria-hidden="true">{held ? '✓' : '✗'}</span>{' '}
            <span class="unseen">{held ? 'held: ' : 'did not hold: '}</span>
            {asks}{' '}
            <span class="quiet figure">
              ({numberText(value)} against {numberText(threshold)})
            </span>
          </li>
        ))}
      </ul>
      <p class="quiet">
        What followed: {percentText(outcome.change)} in {outcome.candles} candles
        {outcome.until === null ? ' so far' : ''}, between {priceText(outcome.lowest)} and{' '}
        {priceText(outcome.highest)}.
      </p>
    </details>
  );
}
