import { useState } from 'preact/hooks';
import { useAnswer } from '../../client/use-answer.js';
import { Change } from '../../parts/change.js';
import { DataTable } from '../../parts/data-table.js';
import { numberText } from '../../parts/formats.js';
import { Panel } from '../../parts/panel.js';
import { Time } from '../../parts/time.js';

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
              <DataTable
                caption={`Months of ${name}`}
                rows={months}
                keyOf={({ month, basis }) => month + basis}
                empty="No signal has ended yet."
                columns={[
                  {
                    name: 'month',
                    title: 'Month',
                    narrow: 'start',
                    by: ({ month }) => month,
                    cell: ({ month }) => month,
                  },
                  { name: 'basis', title: 'By', narrow: 'below', cell: ({ basis }) => basis },
                  {
                    name: 'signals',
                    title: 'Signals',
                    isNumber: true,
                    narrow: 'below-end',
                    cell: ({ signals, gained }) => `${gained} of ${signals} gained`,
                  },
                  {
                    name: 'r',
                    title: 'Sum of R',
                    isNumber: true,
                    narrow: 'end',
                    cell: ({ sumR }) => <Change value={sumR} text={numberText(sumR)} />,
                  },
                ]}
              />
              <DataTable
                caption={`Ended signals of ${name}`}
                rows={ended}
                keyOf={({ parent_signal_id: signal }) => signal}
                empty=""
                columns={[
                  {
                    name: 'signal',
                    title: 'Signal',
                    narrow: 'start',
                    cell: ({ asset, side }) => `${asset} ${side}`,
                  },
                  {
                    name: 'ended',
                    title: 'Ended',
                    narrow: 'below',
                    by: ({ endedAt }) => endedAt,
                    cell: ({ endedAt }) => <Time at={endedAt} />,
                  },
                  { name: 'basis', title: 'By', cell: ({ basis }) => basis },
                  {
                    name: 'return',
                    title: 'Return',
                    isNumber: true,
                    narrow: 'end',
                    cell: ({ returnPercent }) => <Change value={returnPercent} />,
                  },
                  {
                    name: 'r',
                    title: 'R',
                    isNumber: true,
                    narrow: 'below-end',
                    cell: ({ r }) => numberText(r),
                  },
                ]}
              />
            </>
          )}
        </Panel>
      )}
    </details>
  );
}
