import { useEffect, useRef, useState } from 'preact/hooks';
import type { RoutePayload } from '../../client/routes.js';
import { numberText, percentText, priceText } from '../../parts/formats.js';
import { Evidence } from '../../parts/lists.js';
import { StateMark, Time } from '../../parts/marks.js';

type FlipAnswer = RoutePayload<'POST /backend/core-line/flip-intelligence'>;
type Flip = FlipAnswer['flips'][number];

/** The latest flips, each with what it rested on and what followed; `opened` is one that the reader chose on the chart. */
export const Flips = ({ flips, flipPrice, opened }: FlipAnswer & { opened: { date: string } | null }) => (
  <>
    {flipPrice?.targets.map(
      ({ to, nearest }) =>
        nearest && (
          <p key={to}>
            Flips to <StateMark state={to} />{' '}
            {nearest.percent === 0 ? 'with a candle that does not move, ' : ''}at{' '}
            <strong class="figure">{priceText(nearest.close)}</strong> ({percentText(nearest.percent)})
          </p>
        ),
    )}
    <ul class="flips scroll">
      {flips.map((flip) => (
        <li key={flip.date}>
          <FlipEvidence flip={flip} opened={flip.date === opened?.date ? opened : null} />
        </li>
      ))}
    </ul>
  </>
);

function FlipEvidence({ flip, opened }: { flip: Flip; opened: object | null }) {
  const { date, from, to, close, conditions, explanation, outcome } = flip;
  const ref = useRef<HTMLDetailsElement>(null);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (!opened) return;
    setOpen(true);
    ref.current!.scrollIntoView({ block: 'nearest' });
    ref.current!.querySelector('summary')!.focus();
  }, [opened]);
  return (
    <details ref={ref} open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <Time at={date} to="date" /> <StateMark state={from} text="" /> <span aria-hidden="true">→</span>{' '}
        <StateMark state={to} /> <span class="figure end">{priceText(close)}</span>
      </summary>
      {isOpen && (
        <>
          <p>{explanation}</p>
          <Evidence
            rows={conditions.map(({ asks, held, value, threshold }) => [
              held ? '✓' : '✗',
              held ? 'held' : 'did not hold',
              asks,
              <span class="quiet figure">
                {' '}
                ({numberText(value)} against {numberText(threshold)})
              </span>,
            ])}
          />
          <p class="quiet">
            What followed: {percentText(outcome.change)} in {outcome.candles} candles
            {outcome.until === null ? ' so far' : ''}, between {priceText(outcome.lowest)} and{' '}
            {priceText(outcome.highest)}.
          </p>
        </>
      )}
    </details>
  );
}
