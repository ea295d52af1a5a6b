import type { Candles } from '../model/candles.js';
import { stateCode, stateName, type FlipPrice, type FlipTarget, type NextClose } from '../model/core-line.js';
import { assumption, outlookAfter, type Outlook } from './outlook.js';
import { coreLineParams } from './rule.js';
import { runAt, type CoreLine } from './states.js';
import { turnsTowards } from './turns.js';

/** How far the search goes, as multiples of the last close, and how wide its first steps are. */
const search = { lowest: 1e-3, highest: 10, shareOfAtr: 1 / 32 } as const;

/**
 * The nearest closes of the next candle that change the state, and what the rule asks for beyond one candle; null
 * where the last candle has no state. A candle at `close` as assumed has the state, and one at the adjoining double
 * towards the last close has not.
 *
 * State by close is no monotone function: line, band, DI and ADX all move with it. So closes are looked at on a grid
 * that leads away from the last one both ways, in steps of 1/32 ATR, growing to 1/32 of the distance, from a
 * thousandth to ten times the last close, with the closes at which the formulas have a kink put in. Between two of
 * them whatever condition turns is found by bisection down to adjoining doubles, one after the other. What is missed
 * is one condition that turns and turns back within one step.
 */
export function flipPrice(candles: Candles, coreLine: CoreLine): FlipPrice | null {
  const at = candles.close.length - 1;
  const state = stateName(coreLine.state[at]);
  if (state === null) return null;
  const last = candles.close[at];
  const atr = coreLine.atr[at];
  const outlook = outlookAfter(candles, coreLine);
  const [above, below] = [search.highest, search.lowest].map((multiple) =>
    turnsTowards(last * multiple, last, { step: firstStep(last, atr), kinks: kinks(candles) }, outlook),
  );
  const nearest = (wanted: (outlook: Outlook) => boolean): NextClose | null => {
    const found = [above, below].map((turns) => turns.find((turn) => wanted(turn.outlook))?.close);
    return nextClose(nearer(last, found[0], found[1]), last, atr);
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

/** A share of the ATR; of a price that hardly moves, enough to get anywhere. */
const firstStep = (last: number, atr: number) => Math.max(atr * search.shareOfAtr, last * 1e-6);

/** The closes past which the next candle moves directional movement, and the one it is efficient against. */
function kinks({ high, low, close }: Candles): number[] {
  const next = close.length;
  return [high[next - 1], low[next - 1], close[next - coreLineParams.efficiencyPeriod]];
}

function nearer(last: number, above: number | undefined, below: number | undefined): number | null {
  if (above === undefined || below === undefined) return above ?? below ?? null;
  return above - last <= last - below ? above : below;
}

function nextClose(close: number | null, last: number, atr: number): NextClose | null {
  if (close === null) return null;
  const inAtr = (close - last) / atr;
  // Where price has stood still for long the ATR fades to nothing.
  return { close, percent: (close / last - 1) * 100, atr: Number.isFinite(inAtr) ? inAtr : null };
}
