/** A field of a message as text; empty for a value that is neither text nor a number. */
export const streamText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';
