import type { Candles } from '../model/candles.js';
import { stateCode, stateName, type FlipPrice, type FlipTarget, type NextClose } from '../model/core-line.js';
import { assumption, outlookAfter, type Outlook } from './outlook.js';
import { coreLineParams } from './rule.js';
import { runAt, type CoreLine } from './states.js';
import { changesTowards, type OutlookChange } from './outlook-changes.js';

/** The range of the search, in multiples of the last close, and the size of its first step, as a share of the ATR. */
const search = { lowest: 1e-3, highest: 10, shareOfAtr: 1 / 32 } as const;

/**
 * The nearest closes of the next candle that change the state, and how many candles a change takes; null where the last
 * candle has no state. A candle that closes at `close` has the new state, and one that closes at the adjacent double
 * towards the last close does not.
 *
 * The state is not a monotone function of the close: line, band, DI and ADX all move with it. So the search tries
 * closes on a grid in both directions from the last close, between a thousandth and ten times of it. Its steps are 1/32
 * ATR, and 1/32 of the distance further out; the closes where the formulas have a kink are added. Where two neighbouring
 * closes of the grid differ, bisection finds each change between them, down to adjacent doubles. A condition that
 * changes and changes back within one step is missed.
 */
export function flipPrice(candles: Candles, coreLine: CoreLine): FlipPrice | null {
  const at = candles.close.length - 1;
  const state = stateName(coreLine.state[at]);
  if (state === null) return null;
  const last = candles.close[at];
  const atr = coreLine.atr[at];
  const outlook = outlookAfter(candles, coreLine);
  const [above, below] = [search.highest, search.lowest].map((multiple) =>
    changesTowards(last * multiple, last, { step: firstStep(last, atr), kinks: kinks(candles) }, outlook),
  );
  const nearest = (wanted: (outlook: Outlook) => boolean): NextClose | null => {
    const [up, down] = [above, below].map((changes) => rangeIn(changes, wanted));
    const near = nearer(last, up, down);
    if (near === null) return null;
    const { from: close } = near;
    const inAtr = (close - last) / atr;
    return {
      close,
      percent: (close / last - 1) * 100,
      // The ATR approaches 0 where the price has not moved for long.
      atr: Number.isFinite(inAtr) ? inAtr : null,
      lowest: close > last ? close : down!.until,
      highest: close < last ? close : up!.until,
    };
  };
  const run = runAt(candles.close, coreLine, at);
  const target = (code: number): FlipTarget => ({
    to: stateName(code)!,
    nearest: nearest((outlook) => outlook.state === code),
    candlesNeeded:
      code === stateCode.wait ? 1 : Math.max(1, coreLineParams.confirmation - Math.max(0, code * run)),
    agreeing: code === stateCode.wait ? null : nearest(({ side }) => side === code),
  });
  const codes = [stateCode.accumulate, stateCode.wait, stateCode.distribute];
  return {
    assumption,
    unmoved: stateName(outlook(last).state)!,
    stays: nearest((outlook) => outlook.state === coreLine.state[at]),
    targets: codes.filter((code) => code !== coreLine.state[at]).map(target),
  };
}

/** A share of the ATR, but at least a millionth of the price, for prices that hardly move. */
const firstStep = (last: number, atr: number) => Math.max(atr * search.shareOfAtr, last * 1e-6);

/** The closes where the formulas have a kink: the last high and low for the DI, and an older close for the efficiency ratio. */
function kinks({ high, low, close }: Candles): number[] {
  const next = close.length;
  return [high[next - 1], low[next - 1], close[next - coreLineParams.efficiencyPeriod]];
}

/** Closes on the way from the last one: the first that is wanted, and the first after it that is not; null: there is none. */
interface Range {
  from: number;
  until: number | null;
}

function rangeIn(changes: readonly OutlookChange[], wanted: (outlook: Outlook) => boolean): Range | null {
  const first = changes.findIndex(({ outlook }) => wanted(outlook));
  if (first < 0) return null;
  const end = changes.slice(first).find(({ outlook }) => !wanted(outlook));
  return { from: changes[first].close, until: end?.close ?? null };
}

function nearer(last: number, above: Range | null, below: Range | null): Range | null {
  if (above === null || below === null) return above ?? below;
  return above.from - last <= last - below.from ? above : below;
}
