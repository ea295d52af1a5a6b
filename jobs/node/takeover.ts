/**
 * How BullMQ detects a dead worker: after the lock has expired and two checks at most, so its jobs run elsewhere within 8 s. A
 * job that kills every worker reaches its time limit or its last try before `maxStalledCount`.
 */
export const takeover = { lockDuration: 5_000, stalledInterval: 1_000, maxStalledCount: 20 };
