import type { RoutePayload } from '../../client/routes.js';
import { useAnswer } from '../../client/use-answer.js';
import { column, type TableColumn } from '../../parts/data-table.js';
import { Dialog, DialogButton } from '../../parts/dialogs.js';
import { plainWords, priceText, quantityText } from '../../parts/formats.js';
import { Lines, Timeline } from '../../parts/lists.js';
import { Panel } from '../../parts/page.js';
import { listedFrom, TablePanel } from '../../parts/table-panel.js';

type Order = RoutePayload<'GET /backend/orders'>['orders'][number];

/** An order of a signal, and what came of it; its state leads to its steps. */
export const orderColumns: readonly TableColumn<Order>[] = [
  column.word('Order', ({ asset, leg, side, type }) => `${asset} ${leg}: ${side}, ${type}`, 'start', 'leg'),
  column.figure('Price', ({ price, stopPrice }) => price ?? stopPrice, priceText),
  column.figure('Quantity', 'quantity', quantityText),
  column.figure('Filled', 'filled', quantityText, 'below-end'),
  column.word(
    'State',
    ({ id, leg, status, reason }) => {
      const state = [status, reason].flatMap((text) => (text === null ? [] : plainWords(text))).join(': ');
      return (
        <DialogButton verb={state} label={`${state}, steps of ${leg}`}>
          {(close) => <OrderSteps id={id} onClose={close} />}
        </DialogButton>
      );
    },
    'end',
    'status',
  ),
  column.time('Placed', 'createdAt', 'below', 'second'),
];

/** The orders of all signals that were delivered to the user. */
export const AllOrders = () => (
  <TablePanel
    title="Orders"
    answer={useAnswer('GET /backend/orders', { limit: 50, ...listedFrom('orders') }, ['order'])}
    columns={orderColumns}
    rows={({ orders }) => orders}
    keyOf="id"
    next={({ nextCursor }) => nextCursor}
    cursor="orders"
    empty="No order yet: a signal that is executed places some."
  />
);

/** What happened to an order, step by step, and why it was not filled. */
function OrderSteps({ id, onClose }: { id: string; onClose: () => void }) {
  const answer = useAnswer('GET /backend/orders/{id}', { id }, ['order']);
  return (
    <Dialog title="Order" onClose={onClose}>
      <Panel title="Steps" answer={answer}>
        {({ failure, timeline }) => (
          <>
            <Lines of={[failure]} />
            <Timeline
              steps={timeline.map(({ at, text, quantity, price }) => [
                at,
                text,
                quantity === null ? '' : `, ${quantityText(quantity)}`,
                price === null ? '' : ` at ${priceText(price)}`,
              ])}
            />
          </>
        )}
      </Panel>
    </Dialog>
  );
}
