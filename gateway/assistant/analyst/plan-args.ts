import { plainNumber } from '../../../compute/model/format-number.js';
import type { Slots } from './slots.js';

/** A price as tools take it: a decimal in a string. */
export const priceArg = (price: number | undefined): string | undefined =>
  price === undefined ? undefined : plainNumber(price);

/** The most levels below the first buy that the tool takes. */
const mostLevels = 20;

/** The arguments of a ladder: prices from the highest down, each buy as large as the first unless the question says otherwise. */
export function ladderArgs(slots: Slots): Record<string, unknown> {
  const [first, ...further] = ladderOf(slots);
  const sizes = slots.multipliers ?? [];
  return {
    first_price: priceArg(first),
    first_amount: slots.amount,
    levels: further.slice(0, mostLevels).map((price, n) => ({
      buy_price: priceArg(price),
      multiplier: sizes.length === further.length ? sizes[n] : 1,
    })),
  };
}

/** The prices from the highest down; one price with steps in percent makes a ladder as well. */
function ladderOf({ prices = [], percent, count = 2, entry }: Slots): number[] {
  const named = [...new Set(entry === undefined ? prices : [entry, ...prices])].sort(
    (one, other) => other - one,
  );
  if (named.length !== 1 || percent === undefined) return named;
  const [first] = named;
  const steps = Array.from(
    { length: Math.min(mostLevels, count) },
    (_, n) => first * (1 - percent / 100) ** (n + 1),
  );
  return [first, ...steps.map((price) => Number(price.toPrecision(8)))];
}

/** The arguments of a check of a signal: the one that was pasted, or one of the slots. */
export function signalArgs(slots: Slots): Record<string, unknown> {
  const { signal, asset, tradeMarket, exchange, percent, side, stop, leverage, account } = slots;
  const { entry, entryTo = entry, target, targets = [target] } = slots;
  const [least, most] = [entry, entryTo].sort((one = 0, other = 0) => one - other);
  const made = {
    coin: asset,
    trade_market: tradeMarket ?? 'USDT',
    exchange,
    invest: percent,
    type: side,
    entry_price_min: least === most ? undefined : priceArg(least),
    entry_price_max: priceArg(most),
    ...Object.fromEntries(targets.map((each, n) => [`exit_price_${n + 1}`, priceArg(each)])),
    stop_loss: priceArg(stop),
    leverage,
    account: account ?? (leverage !== undefined && leverage > 1 ? 'FUTURES' : undefined),
  };
  return {
    version: slots.version,
    signal: signal ?? Object.fromEntries(Object.entries(made).filter(([, value]) => value !== undefined)),
  };
}
