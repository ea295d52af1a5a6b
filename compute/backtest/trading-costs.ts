import { field, type Values } from '../model/field.js';
import type { Costs } from './engine.js';
import { exchangeFees, feeExchanges, feesAsOf, type FeeExchange } from './exchange-fees.js';

/** The costs of each side where a caller gives none, in percent. */
export const defaultCosts = { feePercent: 0.1, slippagePercent: 0.05 } as const;

/** The price at which every backtest fills. */
export const fillRule = 'open of the next candle';

/** The costs of each side of a trade, as callers give them. */
export const costFields = {
  exchange: field.nullable(
    field.choice('exchange whose taker fee is charged where `feePercent` is null; null: none', feeExchanges),
    { default: null },
  ),
  feePercent: field.nullable(
    field.number(
      `fee of each side; null: the base taker fee of \`exchange\`, or ${defaultCosts.feePercent} without one`,
      { min: 0, max: 10, unit: 'percent' },
    ),
    { default: null },
  ),
  slippagePercent: field.number('slippage of each side', {
    min: 0,
    max: 10,
    unit: 'percent',
    default: defaultCosts.slippagePercent,
  }),
};

/** Costs as a caller gives them. */
export interface GivenCosts {
  exchange?: FeeExchange | null;
  feePercent: number | null;
  slippagePercent: number;
}

/** What every report says of the fee that it charges. */
export const feeFields = {
  feePercent: field.number('fee of each side', { unit: 'percent' }),
  feeReason: field.text('where the fee comes from'),
};

/** The fee of each side, and where it comes from: the caller, the exchange, or else the default. */
export function feeOf({
  exchange = null,
  feePercent,
}: Omit<GivenCosts, 'slippagePercent'>): Values<typeof feeFields> {
  if (feePercent !== null) return { feePercent, feeReason: givenFee };
  if (exchange === null) {
    const feeReason = `the usual ${defaultCosts.feePercent} %: neither feePercent nor exchange is given`;
    return { feePercent: defaultCosts.feePercent, feeReason };
  }
  const { takerPercent, source } = exchangeFees[exchange];
  const feeReason = `taker fee of ${exchange}, base tier as of ${feesAsOf} (${source}): an order at the open fills at once`;
  return { feePercent: takerPercent, feeReason };
}

/** The reason that reports give for a fee from the caller. */
export const givenFee = 'as given in feePercent';

/** The costs as fractions, for the engine. */
export const costsOf = (given: GivenCosts): Costs => ({
  feeRate: feeOf(given).feePercent / 100,
  slippageRate: given.slippagePercent / 100,
});
