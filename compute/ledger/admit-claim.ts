import { Decimal } from '../model/decimal.js';

/** What an execution uses of a limit: what it holds, and what it has requested. */
export interface Claim {
  /** Executions of earlier signals have smaller ids. */
  readonly id: string;
  readonly certain: Decimal;
  readonly asked: Decimal;
}

/**
 * Whether a claim fits under a limit that several executions share, while others may be asking at the same moment.
 *
 * Each execution stores its claim before it reads those of all others. Of those that are allowed, the one that has read last
 * has seen the claims of all: together they are within the limit, however many ask at once. Where all that is claimed is too
 * much, the claims of earlier signals go first. `wait`: this one is next, once later ones have taken theirs back.
 */
export function admitClaim(
  claims: readonly Claim[],
  id: string,
  limit: Decimal,
): 'allowed' | 'refused' | 'wait' {
  const certain = Decimal.sum(claims.map((claim) => claim.certain));
  const asked = (some: readonly Claim[]) => Decimal.sum(some.map((claim) => claim.asked));
  if (certain.plus(asked(claims)).compare(limit) <= 0) return 'allowed';
  const upToMine = claims.filter((claim) => claim.id <= id);
  return certain.plus(asked(upToMine)).compare(limit) <= 0 ? 'wait' : 'refused';
}
