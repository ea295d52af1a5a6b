import { useState } from 'preact/hooks';
import { useAction } from '../../client/use-action.js';
import { useAnswer } from '../../client/use-answer.js';
import { ActionFault } from '../../parts/action-fault.js';
import { FormDialog } from '../../parts/form-dialog.js';
import { numberText } from '../../parts/formats.js';
import { Panel } from '../../parts/panel.js';

/** The channels that the user follows, each to be paused or left; and all of them at once. */
export function Following() {
  const answer = useAnswer('GET /backend/subscriptions', { results: true }, ['signal']);
  const change = useAction('PATCH /backend/subscriptions/{id}');
  const leave = useAction('DELETE /backend/subscriptions/{id}');
  const [asking, setAsking] = useState<'pause' | 'close' | null>(null);
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
              <button type="button" class="plain" onClick={() => setAsking('pause')}>
                Pause all
              </button>
              <button type="button" class="plain" onClick={() => setAsking('close')}>
                Close all
              </button>
            </p>
            {subscriptions.map(
              ({ id, channelName, exchange, autoInvest, isPaused, pauseReason, ...limits }) => (
                <article key={id} class="entry">
                  <header>
                    <h3>
                      {channelName ?? 'A channel that is gone'}{' '}
                      <span class="quiet">
                        on {exchange === 'PAPER' ? 'paper' : `${exchange}, real money`}
                      </span>
                    </h3>
                    <span class="tools">
                      <button
                        type="button"
                        class="plain small"
                        disabled={change.isRunning}
                        onClick={() => change.run({ id, isPaused: !isPaused }, answer.again)}
                      >
                        {isPaused ? 'Resume' : 'Pause'}
                      </button>
                      <button
                        type="button"
                        class="plain small"
                        disabled={leave.isRunning}
                        onClick={() => leave.run({ id }, answer.again)}
                      >
                        Stop following
                      </button>
                    </span>
                  </header>
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
                      {numberText(Number(profit))} {tradeMarket} in {trades} trades, {wins} won
                    </p>
                  ))}
                </article>
              ),
            )}
            <ActionFault error={change.error ?? leave.error} />
            {asking && (
              <AllDialog
                kind={asking}
                count={subscriptions.length}
                onClose={() => setAsking(null)}
                onDone={answer.again}
              />
            )}
          </>
        )
      }
    </Panel>
  );
}

interface AllDialogProps {
  kind: 'pause' | 'close';
  count: number;
  onClose: () => void;
  onDone: () => void;
}

/** Names what a button for all touches. */
function AllDialog({ kind, count, onClose, onDone }: AllDialogProps) {
  const open = useAnswer('GET /backend/signals', { status: 'open', limit: 100 });
  const pause = useAction('POST /backend/trading/pause');
  const close = useAction('POST /backend/trading/close-all');
  const action = kind === 'pause' ? pause : close;
  const touched = (open.data?.signals ?? [])
    .map(({ asset, exchange }) => `${asset} on ${exchange}`)
    .join(', ');
  const confirm = () => {
    const done = () => {
      onDone();
      onClose();
    };
    if (kind === 'pause') pause.run({}, done);
    else close.run({}, done);
  };
  return (
    <FormDialog
      title={kind === 'pause' ? 'Pause all' : 'Close all'}
      verb={kind === 'pause' ? 'Pause all now' : 'Close all now'}
      isDanger
      action={action}
      onSend={confirm}
      onClose={onClose}
    >
      <p>
        {kind === 'pause'
          ? `New signals of ${count} followed channels place no orders until you resume them. What is open stays open.`
          : 'All orders are withdrawn, and what was bought by signals is sold at the market, on every exchange.'}
      </p>
      <p>{touched === '' ? 'No signal is open.' : `Open now: ${touched}.`}</p>
    </FormDialog>
  );
}
