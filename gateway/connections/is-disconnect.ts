const codes = new Set(['ECONNABORTED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT']);

/** Whether an answer failed because its client disconnected. The access log already says so. */
export const isDisconnect = (error: unknown): boolean =>
  error instanceof Error && codes.has((error as NodeJS.ErrnoException).code ?? '');
