import { Entry } from '../../parts/lists.js';
import { plainWords, priceText } from '../../parts/formats.js';
import { Time } from '../../parts/marks.js';
import { signalShapes } from '../signals/signal-table.js';
import { FollowUpButton, followUps, type SentSignal } from './follow-ups.js';
import type { PartnerChannel } from './own-channels.js';

/** The steps that have a button of their own; the others stand under "More". */
const stepsAtHand = 2;

interface SentSignalsProps {
  signals: readonly SentSignal[];
  channels: readonly PartnerChannel[];
}

/** The signals that are followed, how many executions are in which state, and what can be told those who follow. */
export function SentSignals({ signals, channels }: SentSignalsProps) {
  if (signals.length === 0)
    return <p class="empty">No signal yet. The first one is sent above, and appears here.</p>;
  return (
    <>
      {signals.map((signal) => {
        const { parent_signal_id: id, coin, type, channel, created_at: at } = signal;
        const name = `${coin} ${type}`;
        const buttons = followUps.map((step) => (
          <FollowUpButton key={step.title} signal={signal} step={step} />
        ));
        return (
          <Entry
            key={id}
            title={name}
            more={
              <>
                {channels.find((each) => each.id === channel)?.name}, <Time at={at} />
              </>
            }
            tools={
              <>
                {buttons.slice(0, stepsAtHand)}
                <details class="menu">
                  <summary class="button plain small" aria-label={`More: ${name}`}>
                    More
                  </summary>
                  <div>{buttons.slice(stepsAtHand)}</div>
                </details>
              </>
            }
          >
            <p>
              Entry{' '}
              {signal.entries
                .map(({ price, zone_end: end }) => [end, price].filter(Boolean).map(priceText).join(' to '))
                .join(', ')}
              , targets {signal.targets.map(priceText).join(', ')}, stop {priceText(signal.stop_loss)}
            </p>
            <p class="quiet">{executionsText(signal)}</p>
          </Entry>
        );
      })}
    </>
  );
}

function executionsText({ executions, is_delivered: isDelivered }: SentSignal): string {
  const counts = Object.entries(executions) as [keyof typeof signalShapes, number][];
  const said = counts.flatMap(([status, n]) =>
    n > 0 ? `${signalShapes[status]} ${n} ${plainWords(status)}` : [],
  );
  return said.join(' · ') || (isDelivered ? 'Nobody follows it.' : 'It is being delivered.');
}
