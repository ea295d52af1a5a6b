import { useState } from 'preact/hooks';
import type { RoutePayload } from '../../client/routes.js';
import { useAnswer } from '../../client/use-answer.js';
import { changeColumn, figureColumn, timeColumn, wordColumn } from '../../parts/columns.js';
import { DataTable } from '../../parts/data-table.js';
import { numberText } from '../../parts/formats.js';
import { Panel } from '../../parts/panel.js';

type ShownChannel = RoutePayload<'GET /backend/channels/{id}'>;
type Month = ShownChannel['months'][number];
type EndedSignal = ShownChannel['ended'][number];

/** The record of a channel by month, and its latest ended signals, asked for when it is opened. */
export function ChannelRecord({ id, name }: { id: string; name: string }) {
  const [isOpen, setOpen] = useState(false);
  const answer = useAnswer(isOpen ? 'GET /backend/channels/{id}' : null, isOpen ? { id } : null);
  return (
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
                  wordColumn('Month', 'month', 'start'),
                  wordColumn('By', 'basis', 'below'),
                  wordColumn(
                    'Signals',
                    (row) => `${row.gained} of ${row.signals} gained`,
                    'below-end',
                    'gained',
                  ),
                  changeColumn('Sum of R', 'sumR', 'end', numberText),
                ]}
              />
              <DataTable<EndedSignal>
                caption={`Ended signals of ${name}`}
                rows={ended}
                keyOf={({ parent_signal_id: signal }) => signal}
                empty=""
                columns={[
                  wordColumn('Signal', ({ asset, side }) => `${asset} ${side}`, 'start'),
                  timeColumn('Ended', 'endedAt', 'below'),
                  wordColumn('By', 'basis'),
                  changeColumn('Return', 'returnPercent', 'end'),
                  figureColumn('R', 'r', undefined, 'below-end'),
                ]}
              />
            </>
          )}
        </Panel>
      )}
    </details>
  );
}
