/** What is recorded about an account. */
export const auditEvents = [
  'sign_in',
  'failed_sign_in',
  'session_ended',
  'token_made',
  'token_used_from_new_address',
  'token_revoked',
  'app_connected',
  'app_disconnected',
  'client_registered',
  'password_changed',
  'reset_asked',
  'email_verified',
  'exchange_connected',
  'exchange_removed',
  'partner_command',
  'account_made',
  'account_removed',
] as const;

export type AuditEventName = (typeof auditEvents)[number];

/** Facts about an event, such as the name of a token. Never a secret. */
export type AuditDetails = Readonly<Record<string, string | number | boolean>>;

export interface AuditEvent {
  /** Unique; made before the first write, so that a write can be repeated. */
  id: string;
  /** Null for what belongs to no account. */
  userId: string | null;
  at: Date;
  event: AuditEventName;
  /** The network that it came from, as `networkOf` shows it; null if it is not kept. */
  address: string | null;
  /** As `clientName` shows it; null if it is not kept. */
  client: string | null;
  details: AuditDetails;
}
