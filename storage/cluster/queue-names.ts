/** The queues of compute nodes, one per class of work, so that a burst of one never starves another. */
export const computeQueues = ['analysis', 'backtest', 'scan', 'signals', 'market'] as const;

export type ComputeQueue = (typeof computeQueues)[number];

/** All queues of questions. That of exchanges is for market workers alone: they keep to what an exchange allows. */
export const queueNames = [...computeQueues, 'exchanges'] as const;

export type QueueName = (typeof queueNames)[number];

/** The queue of the runs of schedules. It is no queue of questions: nobody waits for an answer. */
export const scheduleQueueName = 'schedules';

/** Any queue that there is. */
export type AnyQueueName = QueueName | typeof scheduleQueueName;

const isQueue = (name: string): name is ComputeQueue => computeQueues.some((each) => each === name);

/** The queues that QUEUES names, in the order in which there are; an empty text names all. Throws a RangeError for any other. */
export function readQueueNames(text: string): ComputeQueue[] {
  if (text.trim() === '') return [...computeQueues];
  const named = text.split(',').map((part) => part.trim());
  const unknown = named.find((name) => !isQueue(name));
  if (unknown !== undefined)
    throw new RangeError(`expected queues out of ${computeQueues.join(', ')}, found "${unknown}"`);
  return computeQueues.filter((name) => named.includes(name));
}
