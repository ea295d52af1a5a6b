import { useState } from 'preact/hooks';
import type { RoutePayload } from '../../client/routes.js';
import { useAnswer } from '../../client/use-answer.js';
import { Entry } from '../../parts/entry.js';
import { numberText, shareText } from '../../parts/formats.js';
import { Panel } from '../../parts/panel.js';
import { ChannelRecord } from './channel-record.js';
import { FollowDialog } from './follow-dialog.js';

type Channel = RoutePayload<'GET /backend/channels'>['channels'][number];

/** The channels that can be followed, with what came of their signals. */
export function Channels() {
  const answer = useAnswer('GET /backend/channels', {});
  const [following, setFollowing] = useState<Channel | null>(null);
  return (
    <Panel title="Channels" answer={answer} size={20}>
      {({ channels }) =>
        channels.length === 0 ? (
          <p class="empty">No partner has a channel here yet.</p>
        ) : (
          <>
            {channels.map((channel) => (
              <Entry
                key={channel.id}
                title={channel.name}
                more={`by ${channel.partner}`}
                tools={
                  <button
                    type="button"
                    aria-label={`Follow ${channel.name}`}
                    onClick={() => setFollowing(channel)}
                  >
                    Follow
                  </button>
                }
              >
                <p>{channel.description}</p>
                <ChannelFigures record={channel.trackRecord} />
                <ChannelRecord id={channel.id} name={channel.name} />
              </Entry>
            ))}
            {following && <FollowDialog channel={following} onClose={() => setFollowing(null)} />}
          </>
        )
      }
    </Panel>
  );
}

/** What came of the signals of a channel, in a line. */
export const ChannelFigures = ({
  record: { signals, followers, reference, paper },
}: {
  record: Channel['trackRecord'];
}) => (
  <p>
    {signals} signals, {followers} followers with money and {paper.followers} on paper; by candles alone{' '}
    {shareText(reference.hitRatePercent)} hit their target, {numberText(reference.expectancyR)} R each; on
    paper {shareText(paper.hitRatePercent)}.
  </p>
);
