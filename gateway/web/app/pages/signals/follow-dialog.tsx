import { useState } from 'preact/hooks';
import type { RoutePayload } from '../../client/routes.js';
import { useAction } from '../../client/use-action.js';
import { useAnswer } from '../../client/use-answer.js';
import { ActionFault } from '../../parts/action-fault.js';
import { Dialog } from '../../parts/dialog.js';
import { Labelled } from '../../parts/labelled.js';
import { go } from '../../shell/route.js';

interface FollowDialogProps {
  channel: RoutePayload<'GET /backend/channels'>['channels'][number];
  onClose: () => void;
}

const limits = [
  ['investPercent', 'Percent of balance per signal', 0.1, 100],
  ['maxOpenSignals', 'Open signals at most', 1, 100],
  ['maxTotalExposure', 'Exposure at most', 1, 100],
  ['maxDailyLoss', 'Loss a day at most', 0.1, 100],
] as const;

const hints: Readonly<Record<string, string>> = {
  maxTotalExposure: 'percent of the balance, all signals together',
  maxDailyLoss: 'percent of the balance',
};

/** Follows a channel within limits that the user sets. */
export function FollowDialog({ channel: { id, name }, onClose }: FollowDialogProps) {
  const exchanges = useAnswer('GET /backend/exchanges', {});
  const [exchange, setExchange] = useState('PAPER');
  const [values, setValues] = useState({
    investPercent: 2,
    maxOpenSignals: 5,
    maxTotalExposure: 20,
    maxDailyLoss: 5,
  });
  const [autoInvest, setAutoInvest] = useState(true);
  const follow = useAction('POST /backend/subscriptions');
  const connected = exchanges.data?.exchanges.map((each) => each.exchange) ?? [];
  const send = (event: Event) => {
    event.preventDefault();
    follow.run({ channel: id, exchange, autoInvest, ...values }, () => {
      onClose();
      go('/app/signals?tab=following');
    });
  };
  return (
    <Dialog title={`Follow ${name}`} onClose={onClose}>
      <form onSubmit={send}>
        <Labelled
          label="Exchange"
          hint={exchange === 'PAPER' ? 'Paper money: nothing is bought' : 'Real money'}
        >
          {(attributes) => (
            <select
              {...attributes}
              value={exchange}
              onChange={({ currentTarget }) => setExchange(currentTarget.value)}
            >
              {[...new Set(['PAPER', ...connected])].map((each) => (
                <option key={each}>{each}</option>
              ))}
            </select>
          )}
        </Labelled>
        <div class="fields">
          {limits.map(([field, label, min, max]) => (
            <Labelled
              key={field}
              hint={hints[field]}
              label={label}
              fault={follow.error?.field === field ? follow.error.message : undefined}
            >
              {(attributes) => (
                <input
                  {...attributes}
                  type="number"
                  step="any"
                  required
                  {...{ min, max }}
                  value={values[field]}
                  onInput={({ currentTarget }) =>
                    setValues({ ...values, [field]: currentTarget.valueAsNumber })
                  }
                />
              )}
            </Labelled>
          ))}
        </div>
        <label class="check">
          <input
            type="checkbox"
            checked={autoInvest}
            onChange={({ currentTarget }) => setAutoInvest(currentTarget.checked)}
          />
          Place orders
          <span class="quiet">(without it signals are shown, and nothing is ordered)</span>
        </label>
        <p class="actions">
          <button type="submit" disabled={follow.isRunning}>
            Start following
          </button>
        </p>
        <ActionFault error={follow.error} />
      </form>
    </Dialog>
  );
}
