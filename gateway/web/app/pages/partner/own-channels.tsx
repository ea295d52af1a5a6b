import { useState } from 'preact/hooks';
import type { RoutePayload } from '../../client/routes.js';
import { useAction } from '../../client/use-action.js';
import { FormDialog } from '../../parts/form-dialog.js';
import { InputField } from '../../parts/input-field.js';
import { ChannelFigures } from '../signals/channels.js';
import { ChannelRecord } from '../signals/channel-record.js';
import { fieldFault } from '../../parts/action-fault.js';

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
        <article key={channel.id} class="entry">
          <header>
            <h3>{channel.name}</h3>
            <button
              type="button"
              class="plain small"
              aria-label={`Describe ${channel.name}`}
              onClick={() => setEdited(channel)}
            >
              Describe
            </button>
          </header>
          <p>{channel.description ?? <span class="quiet">Without a description.</span>}</p>
          <ChannelFigures record={channel.trackRecord} />
          <ChannelRecord id={channel.id} name={channel.name} />
        </article>
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
  const [name, setName] = useState(channel?.name ?? '');
  const [text, setText] = useState(channel?.description ?? '');
  const add = useAction('POST /backend/partner/channels');
  const change = useAction('PATCH /backend/partner/channels/{id}');
  const done = () => {
    onChanged();
    onClose();
  };
  const description = text.trim() === '' ? null : text;
  return (
    <FormDialog
      title={channel ? `Describe ${channel.name}` : 'Add a channel'}
      verb="Save"
      action={channel ? change : add}
      onClose={onClose}
      onSend={() =>
        channel ? change.run({ id: channel.id, description }, done) : add.run({ name, description }, done)
      }
    >
      {!channel && (
        <InputField
          label="Name"
          hint="It stays: followers know the channel by it"
          required
          maxLength={100}
          fault={fieldFault(add.error, 'name')}
          value={name}
          onChange={setName}
        />
      )}
      <InputField label="Description" maxLength={1_000} value={text} onChange={setText} />
    </FormDialog>
  );
}
