import { Choice } from '../../parts/controls.js';
import { PageHead } from '../../parts/page.js';
import { goQuery, type PageProps } from '../../shell/route.js';
import { Channels } from './channels.js';
import { Following } from './following.js';
import { AllOrders } from './orders.js';
import { DeliveredSignals } from './signal-table.js';

const tabs = { signals: 'Signals', channels: 'Channels', following: 'Following' } as const;

/** The signals that came, the channels there are, and those that are followed. */
export function SignalsPage({ query }: PageProps) {
  const tab =
    (Object.keys(tabs) as (keyof typeof tabs)[]).find((each) => each === query.get('tab')) ?? 'signals';
  return (
    <>
      <PageHead
        title="Signals"
        tools={
          <Choice
            label="Part"
            value={tab}
            options={tabs}
            onChange={(next) => goQuery({ tab: next === 'signals' ? null : next }, false)}
          />
        }
      />
      {tab === 'signals' && (
        <>
          <DeliveredSignals />
          <AllOrders />
        </>
      )}
      {tab === 'channels' && <Channels />}
      {tab === 'following' && <Following />}
    </>
  );
}
