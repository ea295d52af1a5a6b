import type { LedgerFill, ValuedFee } from './realised-profits.js';

/**
 * The fees of fills by asset, in the order in which the assets first occur. A fee in the base asset is valued at the price of its
 * fill. The value of an asset is null if the value of one of its fees is unknown.
 */
export function feesByAsset({
  fills,
  base,
  quote,
}: {
  fills: readonly LedgerFill[];
  base: string;
  quote: string;
}): ValuedFee[] {
  const fees = new Map<string, ValuedFee>();
  for (const { baseFee, quoteFee, price, otherFees } of fills)
    for (const fee of [
      { asset: base, amount: baseFee, value: baseFee.times(price) },
      { asset: quote, amount: quoteFee, value: quoteFee },
      ...otherFees,
    ])
      if (fee.amount.sign !== 0) fees.set(fee.asset, added(fees.get(fee.asset), fee));
  return [...fees.values()];
}

function added(known: ValuedFee | undefined, { asset, amount, value }: ValuedFee): ValuedFee {
  if (!known) return { asset, amount, value };
  const both = known.value && value ? known.value.plus(value) : null;
  return { asset, amount: known.amount.plus(amount), value: both };
}
