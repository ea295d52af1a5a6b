import type { Slots } from './slots.js';

/** The states by which signals are listed; orders know other ones. */
const ofSignals = new Set(['queued', 'entry_pending', 'open', 'closed', 'cancelled', 'expired', 'rejected']);

/** The state of signals that a question names; undefined for none, and for a state that only orders have. */
export const listedSignalStatus = (status: Slots['status']): string | undefined =>
  status !== undefined && ofSignals.has(status) ? status : undefined;
