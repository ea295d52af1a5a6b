/** The queues of questions there are, one per class of work, so that a burst of one never starves another. */
export const queueNames = ['analysis', 'backtest', 'scan', 'signals', 'market'] as const;

export type QueueName = (typeof queueNames)[number];

/** The queue of the runs of schedules. It is no queue of questions: nobody waits for an answer. */
export const scheduleQueueName = 'schedules';

const isQueue = (name: string): name is QueueName => queueNames.some((each) => each === name);

/** The queues that QUEUES names, in the order in which there are; an empty text names all. Throws a RangeError for any other. */
export function readQueueNames(text: string): QueueName[] {
  if (text.trim() === '') return [...queueNames];
  const named = text.split(',').map((part) => part.trim());
  const unknown = named.find((name) => !isQueue(name));
  if (unknown !== undefined)
    throw new RangeError(`expected queues out of ${queueNames.join(', ')}, found "${unknown}"`);
  return queueNames.filter((name) => named.includes(name));
}
