import { useState } from 'preact/hooks';
import type { RoutePayload } from '../../client/routes.js';
import { Entry } from '../../parts/entry.js';
import { FormDialog } from '../../parts/form-dialog.js';
import { InputField } from '../../parts/input-field.js';
import { ChannelFigures } from '../signals/channels.js';
import { ChannelRecord } from '../signals/channel-record.js';

export type PartnerChannel = RoutePayload<'GET /backend/partner'>['channels'][number];

interface OwnChannelsProps {
  channels: readonly PartnerChannel[];
  onChanged: () => void;
}

/** The channels of the partner with their records; one can be added, and described. */
export function OwnChannels({ channels, onChanged }: OwnChannelsProps) {
  const [edited, setEdited] = useState<PartnerChannel | 'new' | null>(null);
  return (
    <>
      {channels.length === 0 && (
        <p class="empty">No channel yet. Users follow a channel, and get its signals.</p>
      )}
      {channels.map((channel) => (
        <Entry
          key={channel.id}
          title={channel.name}
          tools={
            <button
              type="button"
              class="plain small"
              aria-label={`Describe ${channel.name}`}
              onClick={() => setEdited(channel)}
            >
              Describe
            </button>
          }
        >
          <p>{channel.description ?? <span class="quiet">Without a description.</span>}</p>
          <ChannelFigures record={channel.trackRecord} />
          <ChannelRecord id={channel.id} name={channel.name} />
        </Entry>
      ))}
      <button type="button" class="plain" onClick={() => setEdited('new')}>
        Add a channel
      </button>
      {edited && (
        <ChannelDialog
          channel={edited === 'new' ? null : edited}
          onClose={() => setEdited(null)}
          onChanged={onChanged}
        />
      )}
    </>
  );
}

interface ChannelDialogProps {
  channel: PartnerChannel | null;
  onClose: () => void;
  onChanged: () => void;
}

function ChannelDialog({ channel, onClose, onChanged }: ChannelDialogProps) {
  const [name, setName] = useState('');
  const [text, setText] = useState(channel?.description ?? '');
  const description = text.trim() === '' ? null : text;
  const described = <InputField label="Description" maxLength={1_000} value={text} onChange={setText} />;
  const shared = { verb: 'Save', onDone: onChanged, onClose };
  if (channel)
    return (
      <FormDialog
        {...shared}
        title={`Describe ${channel.name}`}
        route="PATCH /backend/partner/channels/{id}"
        input={{ id: channel.id, description }}
      >
        {described}
      </FormDialog>
    );
  return (
    <FormDialog
      {...shared}
      title="Add a channel"
      route="POST /backend/partner/channels"
      input={{ name, description }}
    >
      {(fault) => (
        <>
          <InputField
            label="Name"
            hint="It stays: followers know the channel by it"
            required
            maxLength={100}
            fault={fault('name')}
            value={name}
            onChange={setName}
          />
          {described}
        </>
      )}
    </FormDialog>
  );
}
