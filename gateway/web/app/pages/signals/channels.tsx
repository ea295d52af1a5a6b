import { useState } from 'preact/hooks';
import type { RoutePayload } from '../../client/routes.js';
import { useAnswer } from '../../client/use-answer.js';
import { CheckField } from '../../parts/controls.js';
import { AskedAction } from '../../parts/dialogs.js';
import type { Typed } from '../../parts/fields.js';
import { Entry } from '../../parts/lists.js';
import { Panel } from '../../parts/page.js';
import { go } from '../../shell/route.js';
import { ChannelRecord } from './channel-record.js';

/** The channels that can be followed, with what came of their signals. */
export function Channels() {
  const answer = useAnswer('GET /backend/channels', {});
  const { data } = useAnswer('GET /backend/exchanges', {});
  const { data: followed } = useAnswer('GET /backend/subscriptions', {});
  const exchanges = new Set(['PAPER', ...(data?.exchanges ?? []).map(({ exchange }) => exchange)]);
  return (
    <Panel title="Channels" answer={answer} size={20}>
      {({ channels }) =>
        channels.length === 0
          ? 'No partner has a channel here yet.'
          : channels.map((channel) => (
              <Entry
                key={channel.id}
                title={channel.name}
                more={`by ${channel.partner}`}
                tools={
                  followed?.subscriptions.some((each) => each.channel === channel.id) ? (
                    <a href="/app/signals?tab=following">Followed</a>
                  ) : (
                    <Follow channel={channel} exchanges={[...exchanges]} />
                  )
                }
              >
                <p>{channel.description}</p>
                <ChannelRecord channel={channel} />
              </Entry>
            ))
      }
    </Panel>
  );
}

type Channel = RoutePayload<'GET /backend/channels'>['channels'][number];

const limitOf = <N extends string>(name: N, label: string, value: string, min: number, hint?: string) =>
  ({ name, label, value, min, hint, max: 100, type: 'number', step: 'any', required: true }) as const;

/** What a user sets for the signals of a channel. */
export const followLimits = [
  limitOf('investPercent', 'Percent of balance per signal', '2', 0.1),
  limitOf('maxOpenSignals', 'Open signals at most', '5', 1),
  limitOf('maxTotalExposure', 'Exposure at most', '20', 1, 'percent of the balance, all signals together'),
  limitOf('maxDailyLoss', 'Loss a day at most', '5', 0.1, 'percent of the balance'),
];

/** The limits as they are sent; an empty field is no limit. */
export function limitsOf(typed: Typed) {
  const sent = followLimits.map(({ name }) => [name, typed[name] ? Number(typed[name]) : null]);
  return Object.fromEntries(sent) as Record<(typeof followLimits)[number]['name'], number>;
}

/** Follows a channel within limits that the user sets. */
function Follow({ channel: { id, name }, exchanges }: { channel: Channel; exchanges: readonly string[] }) {
  const [autoInvest, setAutoInvest] = useState(true);
  const hint = (exchange: string) => (exchange === 'PAPER' ? 'Paper money: nothing is bought' : 'Real money');
  return (
    <AskedAction
      verb="Follow"
      label={`Follow ${name}`}
      verbNow={({ exchange }) =>
        exchange === 'PAPER' || !autoInvest ? 'Start following' : 'Start following with real money'
      }
      class=""
      route="POST /backend/subscriptions"
      fields={[
        { name: 'exchange', label: 'Exchange', value: 'PAPER', options: exchanges, hint },
        ...followLimits,
      ]}
      input={({ exchange, ...typed }) => ({ channel: id, exchange, autoInvest, ...limitsOf(typed) })}
      onDone={() => go('/app/signals?tab=following')}
      question={
        <CheckField isChecked={autoInvest} onChange={setAutoInvest}>
          Place orders <span class="quiet">(without it signals are shown, and nothing is ordered)</span>
        </CheckField>
      }
    />
  );
}
