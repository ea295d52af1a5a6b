/** What the service, or the way to it, said instead of an answer. */
export class AskError extends Error {
  /** 0: nothing was answered. */
  readonly status: number;
  readonly requestId: string | null;
  /** The field that is wrong, as the service names it. */
  readonly field: string | null;
  readonly retryAfterSeconds: number | null;

  constructor(
    status: number,
    message: string,
    more: { requestId?: string | null; field?: string | null; retryAfterSeconds?: number | null } = {},
  ) {
    super(message);
    this.status = status;
    this.requestId = more.requestId ?? null;
    this.field = more.field ?? null;
    this.retryAfterSeconds = more.retryAfterSeconds ?? null;
  }
}
