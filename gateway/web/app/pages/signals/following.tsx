import type { RoutePayload } from '../../client/routes.js';
import { useAnswer } from '../../client/use-answer.js';
import { Panel } from '../../parts/page.js';
import { Waiting } from '../../parts/states.js';
import { AskedAction } from '../../parts/dialogs.js';
import { Entry } from '../../parts/lists.js';
import { followLimits, limitsOf } from './channels.js';
import { heldOf } from './signal-table.js';
import { counted, numberText, plainWords, quantityText, tradedOn } from '../../parts/formats.js';

/** The channels that the user follows, each to be paused or left; and all of them at once. */
export function Following() {
  const answer = useAnswer('GET /backend/subscriptions', { results: true }, ['signal']);
  return (
    <Panel title="Following" answer={answer} size={14}>
      {({ subscriptions }) =>
        subscriptions.length === 0 ? (
          <p class="empty">
            No channel is followed. <a href="/app/signals?tab=channels">Choose one</a>; paper money is chosen
            at first.
          </p>
        ) : (
          <>
            <p class="actions">
              <AskedAction
                route="POST /backend/trading/pause"
                input={{}}
                verb="Pause all"
                verbNow="Pause all now"
                class="plain"
                question={
                  <>
                    New signals of {counted(subscriptions.length, 'followed channel')} place no orders until
                    you resume them. What is open stays open: <OpenSignals />
                  </>
                }
              />
              <AskedAction
                route="POST /backend/trading/close-all"
                input={{}}
                verb="Close all"
                verbNow="Close all now"
                class="plain"
                question={
                  <>
                    All orders are withdrawn, what was bought by signals is sold at the market, on every
                    exchange, and all channels are paused: <OpenSignals />
                  </>
                }
              />
            </p>
            {subscriptions.map((each) => (
              <Followed key={each.id} subscription={each} />
            ))}
          </>
        )
      }
    </Panel>
  );
}

type Subscription = RoutePayload<'GET /backend/subscriptions'>['subscriptions'][number];

function Followed({ subscription }: { subscription: Subscription }) {
  const { id, channelName, exchange, autoInvest, isPaused, pauseReason, ...limits } = subscription;
  const name = channelName ?? 'A channel that is gone';
  const verb = isPaused ? 'Resume' : 'Pause';
  const orders = autoInvest ? 'place orders' : 'are shown';
  return (
    <Entry
      title={name}
      more={tradedOn(exchange)}
      tools={
        <>
          <AskedAction
            route="PATCH /backend/subscriptions/{id}"
            input={{ id, isPaused: !isPaused }}
            verb={verb}
            label={`${verb} ${name}`}
            verbNow={`${verb} now`}
            question={`New signals of ${name} ${orders} ${isPaused ? 'again' : 'no more, until you resume it'}, ${tradedOn(exchange)}.`}
          />
          <AskedAction
            route="PATCH /backend/subscriptions/{id}"
            verb="Limits"
            label={`Limits of ${name}`}
            verbNow="Save"
            fields={followLimits.map((limit) => ({
              ...limit,
              // What has no limit can stay without one.
              required: limits[limit.name] !== null,
              value: String(limits[limit.name] ?? ''),
            }))}
            input={(typed) => ({ id, ...limitsOf(typed) })}
            question={`They hold for new signals of ${name}, ${tradedOn(exchange)}.`}
          />
          <AskedAction
            route="DELETE /backend/subscriptions/{id}"
            input={{ id }}
            verb="Stop following"
            label={`Stop following ${name}`}
            verbNow="Stop following now"
            question={`No more signals of ${name} come ${tradedOn(exchange)}, and your limits are deleted. What is bought is sold as its signal says; entries that wait buy nothing.`}
          />
        </>
      }
    >
      <p>
        {isPaused
          ? `‖ Paused${pauseReason === null ? '' : `: ${pauseReason}`}`
          : autoInvest
            ? '▶ Places orders'
            : '○ Shows signals alone'}
        . {limits.investPercent} % of the balance a signal, {limits.maxOpenSignals} open at most, exposure{' '}
        {limits.maxTotalExposure ?? 100} % at most
        {limits.maxDailyLoss !== null && `, loss a day ${limits.maxDailyLoss} % at most`}.
      </p>
      {limits.results?.map(({ tradeMarket, profit, trades, wins }) => (
        <p key={tradeMarket} class="quiet">
          {numberText(profit)} {tradeMarket} in {counted(trades, 'trade')}, {wins} won
        </p>
      ))}
    </Entry>
  );
}

const openStatuses = ['open', 'closing', 'entry_pending', 'queued'] as const;
const mostNamed = 100;

type OpenSignal = RoutePayload<'GET /backend/signals'>['signals'][number];

/** Names what a button for all touches. */
function OpenSignals() {
  const answers = openStatuses.map((status) =>
    useAnswer('GET /backend/signals', { status, limit: mostNamed }),
  );
  const open = answers.flatMap(({ data }) => data?.signals ?? []);
  const error = answers.find((each) => each.error)?.error;
  if (error) return <p class="fault">✗ What is open can't be told: {error.message}</p>;
  if (answers.some(({ data }) => data === null)) return <Waiting rem={4} />;
  if (open.length === 0) return <p>No signal is open.</p>;
  return (
    <ul class="evidence scroll">
      {open.map((signal) => (
        <OpenLine key={signal.parent_signal_id + signal.exchange} signal={signal} />
      ))}
      {answers.some(({ data }) => data!.nextCursor !== null) && <li>and more</li>}
    </ul>
  );
}

function OpenLine({ signal }: { signal: OpenSignal }) {
  const { parent_signal_id: id, asset, side, status, exchange } = signal;
  const isHeld = status === 'open' || status === 'closing';
  const { data } = useAnswer(
    'GET /backend/signals/{parent_signal_id}',
    isHeld ? { parent_signal_id: id } : null,
  );
  const held = data?.exchange === exchange && `, ${quantityText(heldOf(data))} ${asset}`;
  return (
    <li>
      {asset} {side}, {plainWords(status)}
      {held}, {tradedOn(exchange)}
    </li>
  );
}
