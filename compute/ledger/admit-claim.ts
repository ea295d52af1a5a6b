import { Decimal } from '../model/decimal.js';

/** The part of a limit that an execution claims: for what it holds, and for what it has requested. */
export interface Claim {
  /** Executions of earlier signals have smaller ids. */
  readonly id: string;
  /** For what it holds. */
  readonly certain: Decimal;
  /** For what it has requested and does not hold yet. */
  readonly asked: Decimal;
}

/**
 * Whether a claim fits under a limit that several executions share, even if several of them ask at the same time.
 *
 * Each execution stores its claim before it reads the claims of all others. Of the allowed executions, the last one to read has
 * seen the claims of all the others, so that together they are within the limit. If all claims together exceed the limit, the
 * claims of earlier signals go first. `wait`: the claim fits as soon as executions of later signals have withdrawn theirs.
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
