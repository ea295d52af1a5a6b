import type { RoutePayload } from '../../client/routes.js';
import { AskedAction } from '../../parts/dialogs.js';
import type { FieldSpec } from '../../parts/fields.js';
import { Entry } from '../../parts/lists.js';
import { ChannelRecord } from '../signals/channel-record.js';

export type PartnerChannel = RoutePayload<'GET /backend/partner'>['channels'][number];

const described: FieldSpec = { name: 'text', label: 'Description', maxLength: 1_000 };
const named: FieldSpec = {
  name: 'name',
  label: 'Name',
  required: true,
  maxLength: 100,
  hint: 'It stays: followers know the channel by it',
};

/** The channels of the partner with their records; one can be added, and described. */
export const OwnChannels = ({ channels }: { channels: readonly PartnerChannel[] }) => (
  <>
    {channels.length === 0 && (
      <p class="empty">No channel yet. Users follow a channel, and get its signals.</p>
    )}
    {channels.map((channel) => (
      <Entry
        key={channel.id}
        title={channel.name}
        tools={
          <AskedAction
            verb="Describe"
            label={`Describe ${channel.name}`}
            verbNow="Save"
            route="PATCH /backend/partner/channels/{id}"
            fields={[{ ...described, value: channel.description ?? '' }]}
            input={({ text }) => ({ id: channel.id, description: text || null })}
          />
        }
      >
        <p>{channel.description ?? <span class="quiet">Without a description.</span>}</p>
        <ChannelRecord channel={channel} />
      </Entry>
    ))}
    <AskedAction
      verb="Add a channel"
      verbNow="Save"
      class="plain"
      route="POST /backend/partner/channels"
      fields={[named, described]}
      input={({ name, text }) => ({ name, description: text || null })}
    />
  </>
);
