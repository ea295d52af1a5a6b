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
 * What is wrong with a claim, in words; null where nothing is. A rate is wrong where its 95 % interval lies outside of
 * the bounds, so that few series fail only a method that is far off.
 */
export function faultOf(measured: Measured): string | null {
  const { claim, process, silent, rate } = measured;
  const { least, most } = boundsOf(claim, process);
  const answered = rate.count / (rate.count + silent);
  const wanted = claim.leastAnswered ?? 0.5;
  const where = `${claim.name} on ${process.name}`;
  if (answered < wanted) return `${where}: answers ${answered} of the series, expected at least ${wanted}`;
  if (rate.count === 0) return null;
  if (rate.high! < least) return `${where}: ${rate.share}, surely below ${least.toFixed(2)}`;
  return rate.low! > most ? `${where}: ${rate.share}, surely above ${most.toFixed(2)}` : null;
}
