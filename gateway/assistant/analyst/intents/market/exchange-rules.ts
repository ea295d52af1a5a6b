import type { exchangeRules } from '../../../../operations/exchanges/exchange-rules.js';
import { writePercent } from '../../format.js';
import { defineIntent } from '../../intent.js';
import { quoteArgs } from '../../market-args.js';
import type { OutputOf } from '../../output-of.js';

type Rules = OutputOf<typeof exchangeRules>;

export const exchangeRulesIntent = defineIntent<Rules>({
  name: 'exchange-rules',
  title: 'what an exchange requires of orders: price tick, quantity step, least value',
  tool: 'get_exchange_rules',
  phrases: [
    'order rules for {asset} on {exchange}',
    'minimum order size of {asset} on {exchange}',
    'tick size of {asset} on {exchange}',
    'lot size {asset} {exchange}',
    'what is the smallest {asset} order on {exchange}',
    'max leverage for {asset} on {exchange}',
    'trading rules {exchange} {asset}',
    'min notional for {asset} on {exchange}',
    'how many decimals does {asset} have on {exchange}',
    'quantity step of {asset} on {exchange}',
    'how little {asset} can I buy on {exchange}',
    'price step of {asset} at {exchange}',
    'what is the minimum I can order of {asset} on {exchange}',
    'smallest trade in {asset} on {exchange}',
    'how small can an order of {asset} be on {exchange}',
    'how much leverage does {exchange} give me on {asset}',
    'how high can i lever {asset} on {exchange}',
    'price precision of {asset} on {exchange}',
    'contract rules of {asset} at {exchange}',
    'order limits for {asset} on {exchange}',
    'does {exchange} accept an order of {amount} in {asset}',
    'rounding of the quantity of {asset} on {exchange}',
    'least i can trade of {asset} on {exchange}',
    'maximum order size of {asset} on {exchange}',
    'maker and taker fee for {asset} on {exchange} {account}',
    'trading limits of {asset} on {exchange} {account}',
    'step size of {asset} on {exchange}',
    'is an order of {amount} in {asset} too small for {exchange}',
    'minimum order value of {asset} at {exchange}',
    'before i order {asset} on {exchange} what do they require',
    'how big must my {asset} order be on {exchange}',
    'allowed leverage on {exchange} for {asset} {account}',
    'am i allowed to buy {amount} of {asset} on {exchange}',
    'fee for {asset} on {exchange} futures',
  ],
  needs: { exchange: 'On which exchange?', asset: 'For which asset?' },
  takes: ['tradeMarket', 'account'],
  args: ({ exchange, asset, account, tradeMarket }) => ({
    ...{ exchange, asset },
    ...(account === undefined ? {} : { account }),
    ...quoteArgs({ tradeMarket }),
  }),
  answer: (rules) => {
    const { asset, tradeMarket, exchange, account, minNotional, minQuantity, priceTick, quantityStep } =
      rules;
    const value = Number(minNotional) === 0 ? '' : ` and be worth ${minNotional} ${tradeMarket}`;
    return {
      lead: `On ${exchange} (${account.toLowerCase()}) an order of ${asset}/${tradeMarket} must be at least ${minQuantity} ${asset}${value}.`,
      figures: [
        `Its price is a multiple of ${priceTick} ${tradeMarket}, its quantity of ${quantityStep} ${asset}.`,
        ...termWords(rules),
      ],
    };
  },
});

function termWords({ maxLeverage, makerPercent, takerPercent }: Rules): string[] {
  return [
    ...(maxLeverage === null ? [] : [`The largest leverage is ${maxLeverage}.`]),
    ...(makerPercent === null || takerPercent === null
      ? []
      : [
          `The fee is ${writePercent(makerPercent)} for maker and ${writePercent(takerPercent)} for taker orders.`,
        ]),
  ];
}
