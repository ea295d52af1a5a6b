import type { AuditSource } from '../../../../storage/users/audit-log.js';

/** A request for tokens: where it comes from, and when, by the clock that all gateways share. */
export interface TokenCall {
  source: AuditSource;
  now: number;
}
