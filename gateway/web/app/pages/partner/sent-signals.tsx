import { useState } from 'preact/hooks';
import { AskedAction } from '../../parts/asked-action.js';
import { Entry } from '../../parts/entry.js';
import { plainWords, priceText } from '../../parts/formats.js';
import { Time } from '../../parts/time.js';
import { signalShapes } from '../signals/signal-table.js';
import { FollowUpDialog, followUps, type FollowUp, type SentSignal } from './follow-up-dialog.js';
import type { PartnerChannel } from './own-channels.js';

/** The steps that have a button of their own; the others stand under "More". */
const stepsAtHand = 2;

interface SentSignalsProps {
  signals: readonly SentSignal[];
  channels: readonly PartnerChannel[];
  onChanged: () => void;
}

/** The signals that are followed, how many executions are in which state, and what can be told those who follow. */
export function SentSignals({ signals, channels, onChanged }: SentSignalsProps) {
  const [opened, setOpened] = useState<{ signal: SentSignal; step: FollowUp } | null>(null);
  const stepButton = (step: FollowUp, signal: SentSignal) => (
    <button
      key={step.title}
      type="button"
      class="plain small"
      aria-label={`${step.title}: ${signal.coin} ${signal.type}`}
      onClick={() => setOpened({ signal, step })}
    >
      {step.title}
    </button>
  );
  if (signals.length === 0)
    return <p class="empty">No signal yet. The first one is sent above, and appears here.</p>;
  return (
    <>
      {signals.map((signal) => {
        const { parent_signal_id: id, coin, type, channel, created_at: at } = signal;
        const name = `${coin} ${type}`;
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
                {followUps.slice(0, stepsAtHand).map((step) => stepButton(step, signal))}
                <details class="menu">
                  <summary class="button plain small" aria-label={`More: ${name}`}>
                    More
                  </summary>
                  <div>
                    {followUps.slice(stepsAtHand).map((step) => stepButton(step, signal))}
                    <AskedAction
                      route="DELETE /backend/partner/signals/{parent_signal_id}"
                      input={{ parent_signal_id: id }}
                      verb="Cancel"
                      label={`Cancel: ${name}`}
                      question={`All orders of ${name} are withdrawn, and what was bought is sold at the market, for everybody who follows it.`}
                      onDone={onChanged}
                    />
                  </div>
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
            <Executions signal={signal} />
          </Entry>
        );
      })}
      {opened && <FollowUpDialog {...opened} onClose={() => setOpened(null)} onDone={onChanged} />}
    </>
  );
}

function Executions({ signal: { executions, is_delivered: isDelivered } }: { signal: SentSignal }) {
  const counts = (Object.entries(executions) as [keyof typeof signalShapes, number][]).filter(
    ([, count]) => count > 0,
  );
  return (
    <p class="quiet">
      {counts.length === 0 && (isDelivered ? 'Nobody follows it.' : 'It is being delivered.')}
      {counts.map(([status, count]) => `${signalShapes[status]} ${count} ${plainWords(status)}`).join(' · ')}
    </p>
  );
}
