import type { RouteName, RoutePayload } from '../../client/routes.js';
import { AskedAction } from '../../parts/dialogs.js';
import type { FieldSpec } from '../../parts/fields.js';
import { signalLabels, targetName } from './signal-check.js';

/** A signal that was sent, as its partner sees it. */
export type SentSignal = RoutePayload<'GET /backend/partner/signals'>['signals'][number];

type FollowUpRoute = Extract<RouteName, `${string} /backend/partner/signals/{parent_signal_id}${string}`>;

/** What a partner tells those who follow a signal; its fields are those of the service. */
export interface FollowUp {
  title: string;
  purpose: string;
  /** What the button of the dialog says; default: "Send now". */
  verbNow?: string;
  route: FollowUpRoute;
  fields: readonly FieldSpec[];
  /** What the fields need besides what was typed. */
  complete?: (sent: Readonly<Record<string, unknown>>) => object;
}

/** The fields that are numbers; all others are prices, decimals as text. */
const numbers = new Set(['sell_amount_relative', 'invest', 'multiplier']);

const decimal = (name: string, label: string, hint?: string): FieldSpec => ({
  name,
  label,
  hint,
  type: 'decimal',
  required: true,
});
const optional = (field: FieldSpec, hint = field.hint): FieldSpec => ({ ...field, hint, required: false });

const stop = [
  decimal('trailing_stop_price', 'Stop', 'it follows the price at the distance it has now'),
  decimal(
    'trailing_stop_limit_price',
    'Worst price',
    'nothing is sold below it, for a short bought above it',
  ),
];

export const followUps: readonly FollowUp[] = [
  {
    title: 'Take profit',
    purpose: 'Sells a part in place of the targets that are not reached.',
    route: 'POST /backend/partner/signals/{parent_signal_id}/takeprofit',
    fields: [
      decimal('sell_amount_relative', 'Percent of the position'),
      optional(decimal('sell_price', 'Price', 'empty: at once, at the market')),
      ...stop.map((field) => optional(field, 'needed where less than 100 percent are sold')),
    ],
    complete: ({ sell_price: at }) => ({ order_type: at === undefined ? 'market' : 'limit' }),
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
    fields: ['buy_price_min', 'buy_price_max', ...[0, 1, 2].map(targetName), 'stop_loss'].map((name) =>
      optional(decimal(name, signalLabels[name])),
    ),
  },
  {
    title: 'Rebuy',
    purpose: 'Adds a zone beyond the entry in which the position is enlarged.',
    route: 'POST /backend/partner/signals/{parent_signal_id}/rebuy',
    fields: [
      decimal('buy_price_min', 'Buy from'),
      decimal('buy_price_max', 'Buy to'),
      optional(decimal('invest', 'Percent of the balance', 'empty: as much as the entry')),
      ...stop.map((field) => optional(field)),
    ],
  },
  {
    title: 'Average down',
    purpose: 'Buys the first investment times a multiplier at a price beyond the entry, once.',
    route: 'POST /backend/partner/signals/{parent_signal_id}/dca',
    fields: [decimal('buy_price', 'Price'), decimal('multiplier', 'Times the first investment')],
  },
  {
    title: 'Cancel',
    verbNow: 'Cancel the signal now',
    purpose: 'All orders are withdrawn, and what was bought is sold at the market.',
    route: 'DELETE /backend/partner/signals/{parent_signal_id}',
    fields: [],
  },
];

/** Asks for what a step needs; the service says what is wrong with it. */
export function FollowUpButton({ signal, step }: { signal: SentSignal; step: FollowUp }) {
  const { title, purpose, verbNow = 'Send now', route, fields, complete } = step;
  return (
    <AskedAction
      verb={title}
      label={`${title}: ${signal.coin} ${signal.type}`}
      verbNow={verbNow}
      isDanger
      route={route}
      fields={fields}
      input={(typed) => {
        // Prices are sent as text, shares as numbers.
        const sent = Object.fromEntries(
          Object.entries(typed).map(([name, text]) => [name, numbers.has(name) ? Number(text) : text]),
        );
        return { parent_signal_id: signal.parent_signal_id, ...sent, ...complete?.(sent) };
      }}
      question={`${purpose} It goes to all who follow this signal.`}
    />
  );
}
