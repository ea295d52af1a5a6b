import type { Wake } from '../durable/wake-queue.js';

/** The executions of a partner are in this many slots, which workers advance in parallel. */
const slots = 4;

/** The slot of the executions of a subscription. */
export function slotOf(subscriptionId: string): number {
  let sum = 0;
  for (let n = 0; n < subscriptionId.length; n++) sum += subscriptionId.charCodeAt(n);
  return sum % slots;
}

/** Wakes for all executions of a partner. */
export const advanceWakes = (partnerId: string): Wake[] =>
  Array.from({ length: slots }, (_, slot) => ({ work: 'advance', partnerId, slot }));

/** A wake for the signals of a partner, which are in one slot. */
export const deliverWake = (partnerId: string): Wake => ({ work: 'deliver', partnerId, slot: 0 });
