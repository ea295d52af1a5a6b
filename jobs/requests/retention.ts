/** How long BullMQ keeps finished jobs, for gateways that missed the message of the result; ages in seconds. */
export const retention = {
  removeOnComplete: { age: 120, count: 5_000 },
  removeOnFail: { age: 86_400, count: 500 },
};
