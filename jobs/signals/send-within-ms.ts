/** A worker sends an order within this time after it was written, or not at all: later, other workers count it as lost. */
export const sendWithinMs = 10_000;
