import type { RoutePayload } from '../../client/routes.js';
import { DataTable, type TableColumn } from '../../parts/data-table.js';
import { plainWords, priceText } from '../../parts/formats.js';
import { Time } from '../../parts/time.js';

type FollowedSignal = RoutePayload<'GET /backend/signals'>['signals'][number];

/** A shape for each state of a signal, filled while something is held. */
export const signalShapes: Readonly<Record<FollowedSignal['status'], string>> = {
  queued: '○',
  entry_pending: '◌',
  open: '●',
  closing: '◐',
  closed: '■',
  expired: '□',
  cancelled: '✕',
  skipped: '–',
  rejected: '✗',
};

const columns: readonly TableColumn<FollowedSignal>[] = [
  {
    name: 'signal',
    title: 'Signal',
    narrow: 'start',
    by: ({ asset }) => asset,
    cell: ({ parent_signal_id: id, asset, side, exchange }) => (
      <a class="asset" href={`/app/signals/${id}`}>
        <strong>
          {asset} {side}
        </strong>{' '}
        <span class="quiet">{exchange}</span>
      </a>
    ),
  },
  {
    name: 'state',
    title: 'State',
    narrow: 'end',
    by: ({ status }) => status,
    cell: ({ status, targetsHit, targets }) => (
      <>
        <span aria-hidden="true">{signalShapes[status]}</span> {plainWords(status)}
        {targetsHit > 0 && ` ${targetsHit} of ${targets.length} targets`}
      </>
    ),
  },
  { name: 'entry', title: 'Entry', isNumber: true, cell: ({ entries }) => priceText(entries[0]?.price) },
  { name: 'target', title: 'Target', isNumber: true, cell: ({ targets }) => priceText(targets[0]) },
  { name: 'stop', title: 'Stop', isNumber: true, cell: ({ stopLoss }) => priceText(stopLoss) },
  { name: 'why', title: 'Why', narrow: 'below', cell: ({ reason }) => reason && plainWords(reason) },
  {
    name: 'delivered',
    title: 'Delivered',
    narrow: 'below-end',
    by: ({ deliveredAt }) => deliveredAt,
    cell: ({ deliveredAt }) => <Time at={deliveredAt} />,
  },
];

/** The signals that were delivered to the user. */
export const SignalTable = ({ signals }: { signals: readonly FollowedSignal[] }) => (
  <DataTable
    caption="Signals"
    columns={columns}
    rows={signals}
    keyOf={({ parent_signal_id: id, exchange }) => id + exchange}
    empty={
      <>
        No signal yet. <a href="/app/signals?tab=channels">Follow a channel</a>: its next signal appears here.
      </>
    }
  />
);
