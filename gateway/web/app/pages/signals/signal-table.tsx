import type { RoutePayload } from '../../client/routes.js';
import { useAnswer } from '../../client/use-answer.js';
import { column, type TableColumn } from '../../parts/data-table.js';
import { plainWords, priceText } from '../../parts/formats.js';
import { listedFrom, TablePanel } from '../../parts/table-panel.js';

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

/** How much of the asset a signal holds. */
export const heldOf = ({
  result,
}: Pick<RoutePayload<'GET /backend/signals/{parent_signal_id}'>, 'result'>): number =>
  result ? Number(result.entered) - Number(result.exited) : 0;

/** A state of a signal by shape and word. */
export const StatusMark = ({ status }: Pick<FollowedSignal, 'status'>) => (
  <span>
    <span aria-hidden="true">{signalShapes[status]}</span> {plainWords(status)}
  </span>
);

const columns: readonly TableColumn<FollowedSignal>[] = [
  column.link(
    'Signal',
    ({ parent_signal_id: id, asset, side, exchange }) => [`/app/signals/${id}`, `${asset} ${side}`, exchange],
    'asset',
  ),
  column.word(
    'State',
    ({ status, targetsHit, targets }) => (
      <>
        <StatusMark status={status} />
        {targetsHit > 0 && ` ${targetsHit} of ${targets.length} targets`}
      </>
    ),
    'end',
    'status',
  ),
  column.figure('Entry', ({ entries }) => entries[0]?.price, priceText),
  column.figure('Target', ({ targets }) => targets[0], priceText),
  column.figure('Stop', 'stopLoss', priceText),
  column.word('Why', ({ reason }) => reason && plainWords(reason), 'below'),
  column.time('Delivered', 'deliveredAt', 'below-end'),
];

/** The signals that were delivered to the user. */
export const DeliveredSignals = () => (
  <TablePanel
    title="Delivered to you"
    answer={useAnswer('GET /backend/signals', { limit: 100, ...listedFrom() }, ['signal', 'order'])}
    size={20}
    caption="Signals"
    columns={columns}
    rows={({ signals }) => signals}
    keyOf={({ parent_signal_id: id, exchange }) => id + exchange}
    next={({ nextCursor }) => nextCursor}
    empty={
      <>
        No signal yet. <a href="/app/signals?tab=channels">Follow a channel</a>: its next signal appears here.
      </>
    }
  />
);
