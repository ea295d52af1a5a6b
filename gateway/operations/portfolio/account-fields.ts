import { field } from '../../../compute/model/field.js';

/** An exchange to which an answer is restricted. */
export const exchangeFilterField = field.nullable(
  field.text('only accounts of this exchange, as in PAPER; null: of all', {
    maxLength: 40,
    means: 'exchange',
  }),
  { default: null },
);

/** When an account was read last. */
export const accountStatusField = field.object('an account', {
  exchange: field.text('name of the exchange'),
  syncedAt: field.nullable(
    field.time('time of the latest complete read; null before the first, and for the paper account'),
  ),
  fault: field.nullable(field.text('why the latest read failed; null if it succeeded')),
});
