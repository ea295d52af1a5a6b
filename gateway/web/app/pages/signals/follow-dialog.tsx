import { useState } from 'preact/hooks';
import type { RoutePayload } from '../../client/routes.js';
import { useAnswer } from '../../client/use-answer.js';
import { CheckField } from '../../parts/check-field.js';
import { FormDialog } from '../../parts/form-dialog.js';
import { InputField } from '../../parts/input-field.js';
import { SelectField } from '../../parts/select-field.js';
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

type Limit = (typeof limits)[number][0];

const hints: Readonly<Record<string, string>> = {
  maxTotalExposure: 'percent of the balance, all signals together',
  maxDailyLoss: 'percent of the balance',
};

/** Follows a channel within limits that the user sets. */
export function FollowDialog({ channel: { id, name }, onClose }: FollowDialogProps) {
  const exchanges = useAnswer('GET /backend/exchanges', {});
  const [exchange, setExchange] = useState('PAPER');
  // As they are typed: an empty field is no zero.
  const [values, setValues] = useState<Record<Limit, string>>({
    investPercent: '2',
    maxOpenSignals: '5',
    maxTotalExposure: '20',
    maxDailyLoss: '5',
  });
  const [autoInvest, setAutoInvest] = useState(true);
  const connected = exchanges.data?.exchanges.map((each) => each.exchange) ?? [];
  const numbers = limits.map(([field]) => [field, Number(values[field])]);
  const set = Object.fromEntries(numbers) as Record<Limit, number>;
  return (
    <FormDialog
      title={`Follow ${name}`}
      verb="Start following"
      route="POST /backend/subscriptions"
      input={{ channel: id, exchange, autoInvest, ...set }}
      onDone={() => go('/app/signals?tab=following')}
      onClose={onClose}
    >
      {(fault) => (
        <>
          <SelectField
            label="Exchange"
            hint={exchange === 'PAPER' ? 'Paper money: nothing is bought' : 'Real money'}
            options={[...new Set(['PAPER', ...connected])]}
            value={exchange}
            onChange={setExchange}
          />
          <div class="fields">
            {limits.map(([field, label, min, max]) => (
              <InputField
                key={field}
                hint={hints[field]}
                label={label}
                fault={fault(field)}
                type="number"
                step="any"
                required
                {...{ min, max }}
                value={values[field]}
                onChange={(text) => setValues({ ...values, [field]: text })}
              />
            ))}
          </div>
          <CheckField isChecked={autoInvest} onChange={setAutoInvest}>
            Place orders <span class="quiet">(without it signals are shown, and nothing is ordered)</span>
          </CheckField>
        </>
      )}
    </FormDialog>
  );
}
