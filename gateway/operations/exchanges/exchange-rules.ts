import { assetField, tradeMarketField } from '../../../compute/model/asset-fields.js';
import { field } from '../../../compute/model/field.js';
import { pairTermsFields } from '../../../compute/model/pair-terms.js';
import { tradingAccounts } from '../../../compute/model/trading-account.js';
import { describedOperation } from '../analysis/described-operation.js';
import { findPairTerms } from './find-pair-terms.js';

const about = {
  exchange: field.text('name of the exchange, as supported-exchanges lists it', {
    maxLength: 20,
    example: 'BINANCE',
  }),
  asset: assetField,
  tradeMarket: tradeMarketField,
  account: field.choice('account that trades', tradingAccounts, { default: 'SPOT' }),
};

/** The order rules of a pair on an exchange. */
export const exchangeRules = describedOperation({
  id: 'exchange-rules',
  summary:
    'What an exchange requires of the orders of a pair: price tick, quantity step, least value, largest leverage and fees.',
  input: about,
  output: { ...about, ...pairTermsFields },
  errors: ['exchange_unavailable'],
  async handle(input, deps, caller) {
    const { exchange, asset, tradeMarket, account } = input;
    const pair = { base: asset, quote: tradeMarket };
    return { payload: { ...input, ...(await findPairTerms({ exchange, pair, account }, deps, caller)) } };
  },
});
