import type { MarketProcess } from '../support/processes/market-process.js';
import type { Claim } from './claim.js';
import type { Measured } from './measure-claim.js';

/** The most reports on noise that may raise an alarm. */
const mostAlarms = 0.06;

/** Between which shares the true rate of a claim has to lie on a process. */
export function boundsOf(claim: Claim, { isIndependent }: MarketProcess): { least: number; most: number } {
  if (claim.says === 'interval') {
    const nominal = claim.nominal ?? 0.95;
    if (!isIndependent) return { least: nominal - 0.05, most: 1 };
    return { least: nominal - 0.02, most: claim.wide ? 1 : nominal + 0.02 };
  }
  return claim.says === 'falseAlarm'
    ? { least: 0, most: mostAlarms }
    : { least: claim.leastFound ?? 0.8, most: 1 };
}

/**
 * What a measured rate says of the true one. `within`: it lies in the bounds. `unsettled`: it lies outside, but its 95 %
 * interval reaches into them, so that chance may explain it. `outside`: chance does not explain it. `silent`: too few answers.
 */
export type Verdict = 'within' | 'unsettled' | 'outside' | 'silent';

export function verdictOf({ claim, process, silent, rate }: Measured): Verdict {
  const { least, most } = boundsOf(claim, process);
  if (rate.count / (rate.count + silent) < (claim.leastAnswered ?? 0.5)) return 'silent';
  // A claim may ask for no answers at all.
  if (rate.share === null || (rate.share >= least && rate.share <= most)) return 'within';
  return rate.high! < least || rate.low! > most ? 'outside' : 'unsettled';
}

/** What is wrong with a claim, in words; null where nothing is, or more series have to decide. */
export function faultOf(measured: Measured): string | null {
  const { claim, process, silent, rate } = measured;
  const { least, most } = boundsOf(claim, process);
  const verdict = verdictOf(measured);
  const where = `${claim.name} on ${process.name}`;
  if (verdict === 'silent') {
    const answered = rate.count / (rate.count + silent);
    return `${where}: answers ${answered} of the series, expected at least ${claim.leastAnswered ?? 0.5}`;
  }
  if (verdict !== 'outside') return null;
  const side = rate.high! < least ? `below ${least.toFixed(2)}` : `above ${most.toFixed(2)}`;
  return `${where}: ${rate.share}, surely ${side}`;
}
