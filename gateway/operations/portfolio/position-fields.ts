import { field } from '../../../compute/model/field.js';
import { tradeSides } from '../../../compute/model/risk-assessment.js';
import { tradingAccounts } from '../../../compute/model/trading-account.js';

export const quoteOrNull = (text: string) => field.nullable(field.number(text, { unit: 'quote' }));

export const decimalText = (text: string) => field.text(`${text}, a decimal`);

/** What every answer on open positions says of one. */
export const positionFields = {
  asset: field.text('asset symbol'),
  exchange: field.text('name of the exchange'),
  account: field.choice('account on which it is', tradingAccounts),
  tradeMarket: field.text('quote currency'),
  side: field.choice('direction', tradeSides),
  quantity: field.number('size, above 0', { unit: 'base' }),
  averageEntry: quoteOrNull('average price of the entries; null while price or cost is unknown'),
  price: quoteOrNull('newest price; null while it is unknown'),
  change24h: field.nullable(
    field.number('change of the price over 24 hours; null while it is unknown', { unit: 'percent' }),
  ),
  value: quoteOrNull('value at that price; null while it is unknown'),
  pnl: quoteOrNull('unrealised profit or loss; null while price or cost is unknown'),
};
