import { useAnswer } from '../../client/use-answer.js';
import { PageHead, Panel } from '../../parts/page.js';
import { listedFrom, Older } from '../../parts/table-panel.js';
import { NewSignalForm } from './new-signal-form.js';
import { OwnChannels } from './own-channels.js';
import { OwnKeys } from './own-keys.js';
import { SentSignals } from './sent-signals.js';

/** What a partner does: signals that are checked while they are typed, what came of them, channels and keys. */
export function PartnerPage() {
  const partner = useAnswer('GET /backend/partner', {});
  const supported = useAnswer('GET /backend/analysis/supported-exchanges', {});
  const signals = useAnswer('GET /backend/partner/signals', { limit: 50, ...listedFrom() }, [
    'signal',
    'order',
  ]);
  const channels = partner.data?.channels ?? [];
  return (
    <>
      <PageHead title="Partner">{partner.data && <span class="quiet">{partner.data.name}</span>}</PageHead>
      {/* Without its channels a signal would go to another one than meant. */}
      {partner.data && supported.data ? (
        <NewSignalForm
          channels={channels}
          exchanges={supported.data.exchanges.filter(({ kind }) => kind === 'key')}
        />
      ) : (
        <Panel<unknown> title="New signal" answer={partner.data ? supported : partner} size={30} />
      )}
      <Panel title="Signals" answer={signals} size={12}>
        {(data) => (
          <>
            <SentSignals signals={data.signals} channels={channels} />
            <Older next={data.next_cursor} />
          </>
        )}
      </Panel>
      <Panel title="Channels" answer={partner} size={12}>
        {(data) => <OwnChannels channels={data.channels} />}
      </Panel>
      <Panel title="Keys" answer={partner} size={8}>
        {({ keys, limits }) => <OwnKeys keys={keys} most={limits.keys} />}
      </Panel>
    </>
  );
}
