const codes = new Set(['ECONNABORTED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT']);

/** Whether an answer failed because its client disconnected, which the access log tells. */
export const isDisconnect = (error: unknown): boolean =>
  error instanceof Error && codes.has((error as NodeJS.ErrnoException).code ?? '');
