/** How BullMQ keeps jobs that are done, for gateways that were not there to hear of it. */
export const retention = {
  removeOnComplete: { age: 120, count: 5_000 },
  removeOnFail: { age: 86_400, count: 500 },
};
