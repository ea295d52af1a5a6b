import { useAction } from '../../client/use-action.js';
import { useAnswer } from '../../client/use-answer.js';
import { Panel } from '../../parts/page.js';
import { ActionFault } from '../../parts/states.js';
import { Button } from '../../parts/controls.js';
import { AskedAction } from '../../parts/dialogs.js';
import { Entry } from '../../parts/lists.js';
import { numberText, tradedOn } from '../../parts/formats.js';

/** The channels that the user follows, each to be paused or left; and all of them at once. */
export function Following() {
  const answer = useAnswer('GET /backend/subscriptions', { results: true }, ['signal']);
  const change = useAction('PATCH /backend/subscriptions/{id}');
  const leave = useAction('DELETE /backend/subscriptions/{id}');
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
                    New signals of {subscriptions.length} followed channels place no orders until you resume
                    them. What is open stays open. <OpenSignals />
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
                    All orders are withdrawn, and what was bought by signals is sold at the market, on every
                    exchange. <OpenSignals />
                  </>
                }
              />
            </p>
            {subscriptions.map(
              ({ id, channelName, exchange, autoInvest, isPaused, pauseReason, ...limits }) => (
                <Entry
                  key={id}
                  title={channelName ?? 'A channel that is gone'}
                  more={tradedOn(exchange)}
                  tools={
                    <>
                      <Button
                        disabled={change.isRunning}
                        onClick={() => change.run({ id, isPaused: !isPaused })}
                      >
                        {isPaused ? 'Resume' : 'Pause'}
                      </Button>
                      <Button disabled={leave.isRunning} onClick={() => leave.run({ id })}>
                        Stop following
                      </Button>
                    </>
                  }
                >
                  <p>
                    {isPaused
                      ? `‖ Paused${pauseReason === null ? '' : `: ${pauseReason}`}`
                      : autoInvest
                        ? '▶ Places orders'
                        : '○ Shows signals alone'}
                    . {limits.investPercent} % of the balance a signal, {limits.maxOpenSignals} open at most,{' '}
                    exposure {limits.maxTotalExposure ?? 100} % at most
                    {limits.maxDailyLoss !== null && `, loss a day ${limits.maxDailyLoss} % at most`}.
                  </p>
                  {limits.results?.map(({ tradeMarket, profit, trades, wins }) => (
                    <p key={tradeMarket} class="quiet">
                      {numberText(profit)} {tradeMarket} in {trades} trades, {wins} won
                    </p>
                  ))}
                </Entry>
              ),
            )}
            <ActionFault error={change.error ?? leave.error} />
          </>
        )
      }
    </Panel>
  );
}

/** Names what a button for all touches. */
function OpenSignals() {
  const { data } = useAnswer('GET /backend/signals', { status: 'open', limit: 100 });
  const open = (data?.signals ?? []).map(({ asset, exchange }) => `${asset} on ${exchange}`).join(', ');
  return data && <>{open === '' ? 'No signal is open.' : `Open now: ${open}.`}</>;
}
