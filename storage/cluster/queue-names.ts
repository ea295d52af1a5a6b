/** The queues of compute nodes, one for each class of work, so that a burst in one never starves another. */
export const computeQueues = ['analysis', 'backtest', 'scan', 'signals', 'market'] as const;

export type ComputeQueue = (typeof computeQueues)[number];

/** All queues of request jobs. Only market workers run `exchanges`, because they share the request budgets of exchanges. */
export const queueNames = [...computeQueues, 'exchanges'] as const;

export type QueueName = (typeof queueNames)[number];

/** The queue of schedule runs. Its jobs have no caller. */
export const scheduleQueueName = 'schedules';

/** Any queue of the service. */
export type AnyQueueName = QueueName | typeof scheduleQueueName;

const isQueue = (name: string): name is ComputeQueue => computeQueues.some((each) => each === name);

/** Parses QUEUES: names in the order of `computeQueues`; all of them for an empty text. Throws a RangeError for others. */
export function readQueueNames(text: string): ComputeQueue[] {
  if (text.trim() === '') return [...computeQueues];
  const named = text.split(',').map((part) => part.trim());
  const unknown = named.find((name) => !isQueue(name));
  if (unknown !== undefined)
    throw new RangeError(`expected queues out of ${computeQueues.join(', ')}, found "${unknown}"`);
  return computeQueues.filter((name) => named.includes(name));
}
