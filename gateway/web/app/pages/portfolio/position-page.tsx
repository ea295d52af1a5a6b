import type { RoutePayload } from '../../client/routes.js';
import { useAnswer } from '../../client/use-answer.js';
import { column, DataTable } from '../../parts/data-table.js';
import { numberText, percentText, plainWords, priceText, quantityText } from '../../parts/formats.js';
import { FigureList } from '../../parts/lists.js';
import { Change } from '../../parts/marks.js';
import { PageHead, Panel } from '../../parts/page.js';
import type { PageProps } from '../../shell/route.js';

type Held = RoutePayload<'GET /backend/positions/{asset}'>['positions'][number];
type Level = Held['signals'][number]['levels'][number] & { signal: string };

/** What is held of one asset, on each account: its figures, where signals buy and sell, and what they have bought and sold. */
export function PositionPage({ params }: PageProps) {
  const asset = params.asset.toUpperCase();
  const answer = useAnswer('GET /backend/positions/{asset}', { asset }, ['position', 'order']);
  return (
    <>
      <PageHead
        under="/app/portfolio"
        title={`${asset} position`}
        tools={
          <a class="button plain" href={`/app/asset/${asset}`}>
            Chart
          </a>
        }
      />
      <Panel title="Position" answer={answer} size={20}>
        {({ positions }) =>
          positions.length === 0
            ? `Nothing of ${asset} is held.`
            : positions.map((held) => <Position key={held.exchange + held.account} held={held} />)
        }
      </Panel>
    </>
  );
}

const amountText = ({ asset, amount }: Held['fees'][number]) => `${quantityText(amount)} ${asset}`;

const Position = ({ held }: { held: Held }) => (
  <>
    <h3>
      {held.exchange} {held.account.toLowerCase()} {held.side}
    </h3>
    <FigureList
      rows={[
        ['Quantity', '', quantityText(held.quantity)],
        ['Entry', '', priceText(held.averageEntry)],
        ['Price', percentText(held.change24h), priceText(held.price)],
        ['Worth', '', `${numberText(held.value)} USDT`],
        ['PnL', '', <Change value={held.pnl} text={`${numberText(held.pnl)} USDT`} />],
        ['Liquidation', percentText(held.liquidationDistancePercent), priceText(held.liquidationPrice)],
        ['Fees of its signals', '', held.fees.map(amountText).join(', ') || 'none'],
      ]}
    />
    <h3>Signals</h3>
    <DataTable<Level>
      caption="Where its signals buy and sell"
      rows={held.signals.flatMap(({ parent_signal_id: signal, levels }) =>
        levels.map((level) => ({ ...level, signal })),
      )}
      keyOf={({ signal, leg, kind }) => signal + leg + kind}
      empty="No signal holds a part of it."
      columns={[
        column.link(
          'At',
          ({ signal, leg, kind }) => [`/app/signals/${signal}`, plainWords(kind), leg],
          'kind',
        ),
        column.figure('Price', 'price', priceText, 'end'),
        column.word('State', ({ state }) => plainWords(state), 'below'),
        column.figure('Away', 'distancePercent', percentText, 'below-end'),
      ]}
    />
    <h3>Fills</h3>
    <DataTable<Held['fills'][number]>
      caption="Fills of these signals"
      rows={held.fills}
      keyOf={({ orderId, at, quantity }) => orderId + at + quantity}
      empty="Its signals have bought and sold nothing."
      columns={[
        column.word(
          'What',
          ({ side, leg }) => `${side === 'buy' ? 'bought' : 'sold'}, ${leg}`,
          'start',
          'leg',
        ),
        column.time('When', 'at', 'below', 'second'),
        column.figure('Quantity', 'quantity', quantityText, 'end'),
        column.figure('Price', 'price', priceText, 'below-end'),
      ]}
    />
  </>
);
