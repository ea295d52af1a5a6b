import { defineAnalysis } from '../analysis.js';
import { defaultCosts } from '../backtest/trading-costs.js';
import { field, type Value, type Values } from '../model/field.js';
import { Decimal } from '../model/decimal.js';
import { hundred, readPositive, readRate, refuseParam } from './decimal-params.js';

const ladderParams = {
  firstPrice: field.decimal('price of the first order', { unit: 'quote', example: '100' }),
  firstAmount: field.decimal('amount that the first order spends, without its fee', {
    unit: 'quote',
    example: '50',
  }),
  levels: field.list(
    'further orders below the first price',
    field.object('an order', {
      buyPrice: field.decimal('price of the order', { unit: 'quote' }),
      multiplier: field.decimal('the order spends the first amount times this number'),
    }),
    { min: 1, max: 20, example: [{ buyPrice: '90', multiplier: '2' }] },
  ),
  stop: field.nullable(field.decimal('stop price below the lowest order; null: none', { unit: 'quote' }), {
    default: null,
  }),
  feePercent: field.decimal('fee of each order: on top of a buy, off a sale', {
    unit: 'percent',
    default: String(defaultCosts.feePercent),
  }),
  step: field.decimal('step of quantities at the exchange', { unit: 'base', default: '0.00000001' }),
};

/** A ladder of buys. Every number is a decimal in a string. */
export type DcaLadderParams = Values<typeof ladderParams>;

const quoteOrNull = (text: string) => field.nullable(field.decimal(text, { unit: 'quote' }));
const percentOrNull = (text: string) => field.nullable(field.decimal(text, { unit: 'percent' }));

const ladderFill = field.object('an order, and the position once it and all orders before it are filled', {
  price: field.decimal('price of the order', { unit: 'quote' }),
  quantity: field.decimal('quantity bought', { unit: 'base' }),
  spent: field.decimal('quantity times price', { unit: 'quote' }),
  fee: field.decimal('fee of the order', { unit: 'quote' }),
  totalQuantity: field.decimal('quantity of the position', { unit: 'base' }),
  totalCost: field.decimal('spent on all fills, fees included', { unit: 'quote' }),
  averageEntry: quoteOrNull(
    'mean price of the position without fees, to 8 places more than the prices have; null for an empty position',
  ),
  breakEven: quoteOrNull(
    'price at which a sale returns all cost, its own fee included; rounded up; null for an empty position',
  ),
  riseToBreakEvenPercent: percentOrNull(
    'rise from the price of this order to the break-even price, rounded up to 4 places; null for an empty position',
  ),
  lossAtStop: quoteOrNull(
    'cost less the proceeds at the stop after the fee; null without a stop or a position',
  ),
  lossAtStopPercent: percentOrNull(
    'that loss as a share of the cost, to 4 places; null without a stop or a position',
  ),
});

export type LadderFill = Value<typeof ladderFill>;

const ladderOutput = field.object('the ladder', {
  fills: field.list('the orders as a falling price fills them', ladderFill),
  notes: field.list('what to know about the ladder', field.text('a sentence')),
});

export type DcaLadder = Value<typeof ladderOutput>;

export const dcaLadder = defineAnalysis({
  name: 'dca-ladder',
  title: 'DCA ladder',
  summary:
    'The result of a ladder of buys after each fill: average entry, total size, break-even with fees, loss at the stop.',
  needs: 'nothing',
  params: ladderParams,
  output: ladderOutput,
  scope: 'public',
  tool: {
    name: 'estimate_dca_ladder',
    headline: ({ fills }) => dcaHeadline(fills.at(-1)),
  },
  cost: 1,
  run: ({ params }) => estimateDcaLadder(params),
});

/**
 * The cost and break-even of a ladder of buys after each fill, from the highest price down. Throws `invalid_input` with
 * the field: a level at or above the first price, a stop at or above the lowest, a number out of range.
 */
export function estimateDcaLadder(params: DcaLadderParams): DcaLadder {
  const { orders, stop, fee, step, places } = readLadder(params);
  let quantity = Decimal.zero;
  let spent = Decimal.zero;
  const notes: string[] = [];
  const fills = orders.map(({ price, amount }): LadderFill => {
    const bought = amount.dividedBy(price.times(step), 0, 'floor').times(step);
    if (bought.sign === 0)
      notes.push(`${String(amount)} buys less than one step at ${String(price)}: no order there`);
    const paid = bought.times(price);
    quantity = quantity.plus(bought);
    spent = spent.plus(paid);
    const cost = spent.times(Decimal.one.plus(fee));
    const fill = {
      price: String(price),
      quantity: String(bought),
      spent: String(paid),
      fee: String(paid.times(fee)),
      totalQuantity: String(quantity),
      totalCost: String(cost),
    };
    if (quantity.sign === 0) return { ...fill, ...nothingHeld };
    const kept = quantity.times(Decimal.one.minus(fee));
    const breakEven = cost.dividedBy(kept, places + 8, 'ceil');
    const rise = breakEven.minus(price).times(hundred).dividedBy(price, 4, 'ceil');
    const loss = stop && cost.minus(kept.times(stop));
    return {
      ...fill,
      averageEntry: String(spent.dividedBy(quantity, places + 8, 'half-even')),
      breakEven: String(breakEven),
      riseToBreakEvenPercent: String(rise),
      lossAtStop: loss && String(loss),
      lossAtStopPercent: loss && String(loss.times(hundred).dividedBy(cost, 4, 'half-even')),
    };
  });
  return { fills, notes };
}

const nothingHeld = {
  averageEntry: null,
  breakEven: null,
  riseToBreakEvenPercent: null,
  lossAtStop: null,
  lossAtStopPercent: null,
};

function readLadder({ firstPrice, firstAmount, levels, stop: stopText, feePercent, step }: DcaLadderParams) {
  const first = {
    price: readPositive('firstPrice', firstPrice),
    amount: readPositive('firstAmount', firstAmount),
  };
  const further = levels.map(({ buyPrice, multiplier }, n) => ({
    price: readPositive(`levels.${n}.buyPrice`, buyPrice),
    amount: first.amount.times(readPositive(`levels.${n}.multiplier`, multiplier)),
  }));
  further.forEach(({ price }, n) => {
    if (price.compare(first.price) >= 0)
      refuseParam(
        `levels.${n}.buyPrice`,
        `has to lie below the first price ${firstPrice}, found ${String(price)}`,
      );
  });
  const orders = [first, ...further.sort((a, b) => b.price.compare(a.price))];
  const stop = stopText === null ? null : readPositive('stop', stopText);
  const lowest = orders[orders.length - 1].price;
  if (stop && stop.compare(lowest) >= 0)
    refuseParam('stop', `has to lie below the lowest order ${String(lowest)}, found ${String(stop)}`);
  return {
    orders,
    stop,
    fee: readRate('feePercent', feePercent),
    step: readPositive('step', step),
    places: Math.max(...orders.map(({ price }) => price.places)),
  };
}

/** The position after all orders are filled, in words. */
const dcaHeadline = (last: DcaLadder['fills'][number] | undefined): string =>
  last
    ? `After every fill: ${last.totalQuantity} units at ${last.averageEntry ?? 'an unknown average'}, break-even ${last.breakEven ?? 'unknown'}.`
    : 'Nothing is bought.';
