import { useState } from 'preact/hooks';
import type { RouteName, RoutePayload } from '../../client/routes.js';
import { FormDialog } from '../../parts/form-dialog.js';
import { DecimalField } from '../../parts/input-field.js';
import { signalLabels } from './signal-check.js';

/** A signal that was sent, as its partner sees it. */
export type SentSignal = RoutePayload<'GET /backend/partner/signals'>['signals'][number];

type FollowUpRoute = Extract<RouteName, `${string} /backend/partner/signals/{parent_signal_id}${string}`>;

/** What a partner tells those who follow a signal; its fields are those of the service. */
export interface FollowUp {
  title: string;
  purpose: string;
  route: FollowUpRoute;
  fields: readonly { name: string; label: string; hint?: string; isOptional?: true; isNumber?: true }[];
  /** What the fields need besides what was typed. */
  complete?: (typed: Readonly<Record<string, unknown>>) => object;
}

const stop = [
  { name: 'trailing_stop_price', label: 'Stop', hint: 'it follows the price at the distance it has now' },
  {
    name: 'trailing_stop_limit_price',
    label: 'Worst price',
    hint: 'nothing is sold below it, for a short bought above it',
  },
] as const;
const optionalStop = stop.map((field) => ({ ...field, isOptional: true as const }));

export const followUps: readonly FollowUp[] = [
  {
    title: 'Take profit',
    purpose: 'Sells a part in place of the targets that are not reached.',
    route: 'POST /backend/partner/signals/{parent_signal_id}/takeprofit',
    fields: [
      { name: 'sell_amount_relative', label: 'Percent of the position', isNumber: true },
      { name: 'sell_price', label: 'Price', hint: 'empty: at once, at the market', isOptional: true },
      ...optionalStop.map((field) => ({ ...field, hint: 'needed where less than 100 percent are sold' })),
    ],
    complete: ({ sell_price: price }) => ({ order_type: price === undefined ? 'market' : 'limit' }),
  },
  {
    title: 'Stop',
    purpose: 'Sets a stop that follows the price and never moves back.',
    route: 'POST /backend/partner/signals/{parent_signal_id}/trailingstop',
    fields: stop,
  },
  {
    title: 'Prices',
    purpose: 'Changes prices; those that are left empty stay.',
    route: 'PUT /backend/partner/signals/{parent_signal_id}/prices',
    fields: [
      'buy_price_min',
      'buy_price_max',
      'sell_price_1',
      'sell_price_2',
      'sell_price_3',
      'stop_loss',
    ].map((name) => ({ name, label: signalLabels[name], isOptional: true as const })),
  },
  {
    title: 'Rebuy',
    purpose: 'Adds a zone beyond the entry in which the position is enlarged.',
    route: 'POST /backend/partner/signals/{parent_signal_id}/rebuy',
    fields: [
      { name: 'buy_price_min', label: 'Buy from' },
      { name: 'buy_price_max', label: 'Buy to' },
      {
        name: 'invest',
        label: 'Percent of the balance',
        isNumber: true,
        hint: 'empty: as much as the entry',
        isOptional: true,
      },
      ...optionalStop,
    ],
  },
  {
    title: 'Average down',
    purpose: 'Buys the first investment times a multiplier at a price beyond the entry, once.',
    route: 'POST /backend/partner/signals/{parent_signal_id}/dca',
    fields: [
      { name: 'buy_price', label: 'Price' },
      { name: 'multiplier', label: 'Times the first investment', isNumber: true },
    ],
  },
];

interface FollowUpDialogProps {
  signal: SentSignal;
  step: FollowUp;
  onClose: () => void;
  onDone: () => void;
}

/** Asks for what a step needs; the service says what is wrong with it. */
export function FollowUpDialog({ signal, step, onClose, onDone }: FollowUpDialogProps) {
  const { title, purpose, route, fields, complete } = step;
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  // Prices are sent as text, shares as numbers.
  const given = Object.fromEntries(
    fields
      .filter(({ name }) => (values[name] ?? '') !== '')
      .map(({ name, isNumber }) => [name, isNumber ? Number(values[name]) : values[name]] as const),
  );
  return (
    <FormDialog
      title={`${title}: ${signal.coin} ${signal.type}`}
      verb="Send now"
      isDanger
      route={route}
      input={{ parent_signal_id: signal.parent_signal_id, ...given, ...complete?.(given) }}
      {...{ onDone, onClose }}
    >
      {(fault) => (
        <>
          <p>{purpose} It goes to all who follow this signal.</p>
          <div class="fields">
            {fields.map(({ name, label, hint, isOptional }) => (
              <DecimalField
                key={name}
                {...{ label, hint }}
                required={!isOptional}
                fault={fault(name)}
                value={values[name] ?? ''}
                onChange={(text) => setValues({ ...values, [name]: text.trim() })}
              />
            ))}
          </div>
        </>
      )}
    </FormDialog>
  );
}
