import type { RoutePayload } from '../../client/routes.js';
import { capital, plainWords, priceText, quantityText } from '../../parts/formats.js';
import { Time } from '../../parts/time.js';

type Signal = RoutePayload<'GET /backend/signals/{parent_signal_id}'>;
type SignalEvent = Signal['events'][number];

/** What happened, the newest first; new lines are read out. */
export function Timeline({ signal: { events, reason } }: { signal: Signal }) {
  return (
    <>
      {reason !== null && <p>{capital(plainWords(reason))}</p>}
      <ol class="timeline" aria-label="Timeline" aria-live="polite" aria-relevant="additions">
        {events.toReversed().map((event, n) => (
          <li key={events.length - n}>
            <Time at={event.at} to="second" /> {textOf(event)}
          </li>
        ))}
      </ol>
      {events.length === 0 && <p class="empty">Nothing has happened yet; it appears here as it does.</p>}
    </>
  );
}

function textOf({ type, cause, figures }: SignalEvent): string {
  const { quantity, price, ...rest } = figures;
  const amount = quantity === undefined ? '' : ` ${quantityText(quantity)}`;
  const at = price === undefined ? '' : ` at ${priceText(price)}`;
  const more = Object.entries(rest)
    .map(([name, value]) => `, ${plainWords(name)} ${value}`)
    .join('');
  return `${capital(plainWords(type))}${amount}${at}${more}: ${plainWords(cause)}`;
}
