import { useState } from 'preact/hooks';
import type { RoutePayload } from '../../client/routes.js';
import { useAnswer } from '../../client/use-answer.js';
import { column, DataTable } from '../../parts/data-table.js';
import { numberText, shareText } from '../../parts/formats.js';
import { Panel } from '../../parts/page.js';

type ShownChannel = RoutePayload<'GET /backend/channels/{id}'>;
type Month = ShownChannel['months'][number];
type EndedSignal = ShownChannel['ended'][number];

/** What came of the signals of a channel, in a line; by month and signal once that is opened. */
export function ChannelRecord({ channel }: { channel: Pick<ShownChannel, 'id' | 'name' | 'trackRecord'> }) {
  const { id, name } = channel;
  const { signals, followers, reference, paper } = channel.trackRecord;
  const [isOpen, setOpen] = useState(false);
  const answer = useAnswer('GET /backend/channels/{id}', isOpen ? { id } : null);
  return (
    <>
      <p>
        {signals} signals, {followers} followers with money and {paper.followers} on paper; by candles alone{' '}
        {shareText(reference.hitRatePercent)} hit their target, {numberText(reference.expectancyR)} R each; on
        paper {shareText(paper.hitRatePercent)}.
      </p>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>Record of {name}</summary>
        {isOpen && (
          <Panel title="By month" answer={answer} size={8}>
            {({ months, ended }) => (
              <>
                <DataTable<Month>
                  caption={`Months of ${name}`}
                  rows={months}
                  keyOf={({ month, basis }) => month + basis}
                  empty="No signal has ended yet."
                  columns={[
                    column.word('Month', 'month', 'start'),
                    column.word('By', 'basis', 'below'),
                    column.word(
                      'Signals',
                      (row) => `${row.gained} of ${row.signals} gained`,
                      'below-end',
                      'gained',
                    ),
                    column.change('Sum of R', 'sumR', 'end', numberText),
                  ]}
                />
                <DataTable<EndedSignal>
                  caption={`Ended signals of ${name}`}
                  rows={ended}
                  keyOf="parent_signal_id"
                  empty=""
                  columns={[
                    column.word('Signal', ({ asset, side }) => `${asset} ${side}`, 'start'),
                    column.time('Ended', 'endedAt', 'below'),
                    column.word('By', 'basis'),
                    column.change('Return', 'returnPercent', 'end'),
                    column.figure('R', 'r', undefined, 'below-end'),
                  ]}
                />
              </>
            )}
          </Panel>
        )}
      </details>
    </>
  );
}
