/** A field of a message as text; empty for what is neither text nor a number, which may have any shape. */
export const streamText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';
