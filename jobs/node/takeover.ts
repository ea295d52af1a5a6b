/**
 * How BullMQ finds out that a worker has died: after the lock and two checks at most, so that what it ran runs elsewhere
 * within 8 s. What ends every worker that takes it comes to its time limit or its last try before its last takeover.
 */
export const takeover = { lockDuration: 5_000, stalledInterval: 1_000, maxStalledCount: 20 };
