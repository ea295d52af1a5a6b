import type { RoutePayload } from '../../client/routes.js';
import { useAnswer } from '../../client/use-answer.js';
import { DataTable } from '../../parts/data-table.js';
import { AskedAction } from '../../parts/dialogs.js';
import { Change } from '../../parts/marks.js';
import {
  capital,
  numberText,
  percentText,
  plainWords,
  priceText,
  quantityText,
  tradedOn,
} from '../../parts/formats.js';
import { Timeline } from '../../parts/lists.js';
import { PageHead, Panel, Section } from '../../parts/page.js';
import { SignalLevels } from '../../charts/signal-levels.js';
import type { PageProps } from '../../shell/route.js';
import { orderColumns } from './orders.js';
import { heldOf, StatusMark } from './signal-table.js';

type Signal = RoutePayload<'GET /backend/signals/{parent_signal_id}'>;

const ended = new Set<Signal['status']>(['closed', 'expired', 'cancelled', 'skipped', 'rejected']);

/** One signal: its levels, what happened and why, where it differs, and a way to close it. */
export function OneSignalPage({ params: { id } }: PageProps) {
  const answer = useAnswer('GET /backend/signals/{parent_signal_id}', { parent_signal_id: id }, [
    'signal',
    'order',
  ]);
  const signal = answer.data;
  const channel = useAnswer('GET /backend/channels/{id}', signal && { id: signal.channel });
  const name = signal && [`${signal.asset} ${signal.side}`, channel.data?.name].filter(Boolean).join(', ');
  return (
    <>
      <PageHead
        under="/app/signals"
        title={name ?? 'Signal'}
        tools={
          signal &&
          !ended.has(signal.status) && (
            <AskedAction
              route="POST /backend/signals/{parent_signal_id}/close"
              input={{ parent_signal_id: id, exchange: signal.exchange }}
              verb="Close this position"
              verbNow="Close now"
              class="danger"
              question={closingOf(signal)}
            />
          )
        }
      >
        {signal && (
          <p class="headline">
            <StatusMark status={signal.status} />
            <span>
              {signal.targetsHit} of {signal.targets.length} targets
            </span>
            {signal.result && (
              <Change
                value={signal.result.profit}
                text={`${numberText(signal.result.profit)} ${signal.tradeMarket}`}
              />
            )}
            {signal.result && !signal.result.isFinal && (
              <span>
                open <Change value={signal.result.unrealised} text={numberText(signal.result.unrealised)} />
              </span>
            )}
            <span class="quiet">{tradedOn(signal.exchange)}</span>
          </p>
        )}
      </PageHead>
      <div class="beside">
        {signal && (
          <SignalLevels
            asset={signal.asset}
            tradeMarket={signal.tradeMarket}
            entries={signal.entries.flatMap(({ price, zoneEnd }) => [price, zoneEnd])}
            targets={signal.targets}
            stop={signal.stopLoss}
            since={signal.deliveredAt}
          />
        )}
        <Panel title="Timeline" answer={answer} size={20}>
          {({ events, reason }) => (
            <>
              {reason !== null && <p>{capital(plainWords(reason))}</p>}
              <Timeline steps={events.map((event) => [event.at, eventText(event)])} />
              {events.length === 0 && (
                <p class="empty">Nothing has happened yet; it appears here as it does.</p>
              )}
            </>
          )}
        </Panel>
      </div>
      {signal?.result && <Differences result={signal.result} />}
      {signal && signal.orders.length > 0 && (
        <Section title="Orders">
          <DataTable caption="Orders" rows={signal.orders} keyOf="id" columns={orderColumns} />
        </Section>
      )}
    </>
  );
}

/** What happened, in words. */
function eventText({ type, cause, figures }: Signal['events'][number]): string {
  const { quantity, price, ...rest } = figures;
  const amount = quantity === undefined ? '' : ` ${quantityText(quantity)}`;
  const at = price === undefined ? '' : ` at ${priceText(price)}`;
  const more = Object.entries(rest).map(([name, value]) => {
    // Not each of them is a number, such as the part of the signal: "entry-1".
    const text = Number.isNaN(Number(value)) ? value : quantityText(value);
    return `, ${plainWords(name)} ${text}`;
  });
  return `${capital(plainWords(type))}${amount}${at}${more.join('')}: ${plainWords(cause)}`;
}

/** Where what was bought and sold differs from the prices of the signal. */
const Differences = ({ result }: { result: NonNullable<Signal['result']> }) => (
  <Section title="Differs from the signal">
    <p>
      Bought {quantityText(result.entered)} at {priceText(result.averageEntry)},{' '}
      {percentText(result.entrySlippagePercent)} from the price of the signal
      {result.averageExit !== null &&
        `; sold ${quantityText(result.exited)} at ${priceText(result.averageExit)}, ${percentText(result.exitSlippagePercent)} from it`}
      .{result.r !== null && ` That is ${numberText(result.r)} R.`}
    </p>
  </Section>
);

/** What closing does, in words. */
function closingOf({ asset, exchange, result, tradeMarket }: Signal) {
  const held = heldOf({ result });
  const sold = `, and ${quantityText(held)} ${asset} are sold for ${tradeMarket} at the market.`;
  return (
    <>
      Orders of this signal on {exchange} are withdrawn{held > 0 ? sold : '; nothing is held yet.'}{' '}
      {exchange !== 'PAPER' && <strong class="fault">This is real money.</strong>}
    </>
  );
}
