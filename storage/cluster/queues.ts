/** The properties of a queue of requests. */
interface QueueRow {
  /** The role of the processes that take its jobs. */
  role: 'compute' | 'market';
  /** The threads its jobs compute in: those for short work, those for long work, or none. */
  threads: 'interactive' | 'background' | 'none';
  /** The share of a batch that one request takes, 0 to 1, unless its job says otherwise. 1: each request is a batch. */
  batchShare: number;
  /** Batches that a gateway puts into the queue at a time. While they are on their way, the next batch fills. */
  concurrentBatches: number;
  /** A request that would wait longer than this share of its time limit is refused at once: it would be answered too late. */
  maxWaitShare: number;
  /** What the queue is for, for operators. */
  summary: string;
}

/** Every queue of requests, one for each class of work, so that a burst of one class does not delay the others. */
const rows = {
  analysis: {
    role: 'compute',
    threads: 'interactive',
    batchShare: 1 / 16,
    concurrentBatches: 1,
    maxWaitShare: 0.2,
    summary: 'analyses of one pair or a few',
  },
  backtest: {
    role: 'compute',
    threads: 'background',
    batchShare: 1,
    concurrentBatches: 64,
    maxWaitShare: 0.7,
    summary: 'backtests, sweeps and simulations',
  },
  scan: {
    role: 'compute',
    threads: 'interactive',
    batchShare: 1 / 4,
    concurrentBatches: 4,
    maxWaitShare: 0.5,
    summary: 'analyses of a whole market',
  },
  signals: {
    role: 'compute',
    threads: 'interactive',
    batchShare: 1 / 16,
    concurrentBatches: 1,
    maxWaitShare: 0.2,
    summary: 'signals',
  },
  market: {
    role: 'compute',
    threads: 'background',
    batchShare: 1,
    concurrentBatches: 8,
    maxWaitShare: 0.7,
    summary: 'the hourly core lines',
  },
  exchanges: {
    role: 'market',
    threads: 'none',
    batchShare: 1,
    concurrentBatches: 8,
    maxWaitShare: 0.7,
    summary: 'requests to exchanges, within the limits that an exchange sets',
  },
} as const satisfies Record<string, QueueRow>;

export type QueueName = keyof typeof rows;

/** The queues that compute nodes take from. */
export type ComputeQueue = {
  [Name in QueueName]: (typeof rows)[Name]['role'] extends 'compute' ? Name : never;
}[QueueName];

export const queues: Readonly<Record<QueueName, QueueRow>> = rows;

export const queueNames = Object.keys(queues) as QueueName[];

export const computeQueues = queueNames.filter((name) => queues[name].role === 'compute') as ComputeQueue[];

/** The queue of schedule runs. Its jobs have no caller, so it has no row. */
export const scheduleQueueName = 'schedules';

/** The queue that wakes signals workers. Its jobs have no caller, so it has no row. */
export const signalQueueName = 'signal-work';

export type AnyQueueName = QueueName | typeof scheduleQueueName | typeof signalQueueName;

/** Every queue, those whose jobs have no caller included. */
export const allQueueNames: readonly AnyQueueName[] = [...queueNames, scheduleQueueName, signalQueueName];

/** The role of the processes that take the jobs of a queue. */
export function roleOfQueue(name: AnyQueueName): QueueRow['role'] | 'signals' {
  if (name === signalQueueName) return 'signals';
  return name === scheduleQueueName ? 'market' : queues[name].role;
}

/** The queues that processes of a role take from unless they are set otherwise. */
export const queuesOfRole = (role: string): AnyQueueName[] =>
  allQueueNames.filter((name) => roleOfQueue(name) === role);

const isComputeQueue = (name: string): name is ComputeQueue => computeQueues.some((each) => each === name);

/** The queues listed in the setting QUEUES, in the order of the table. An empty text means all. Throws a RangeError for an unknown name. */
export function readQueueNames(text: string): ComputeQueue[] {
  if (text.trim() === '') return [...computeQueues];
  const named = text.split(',').map((part) => part.trim());
  const unknown = named.find((name) => !isComputeQueue(name));
  if (unknown !== undefined)
    throw new RangeError(`expected queues out of ${computeQueues.join(', ')}, found "${unknown}"`);
  return computeQueues.filter((name) => named.includes(name));
}

/** The compute queues and what they are for, for the description of the setting QUEUES. */
export const computeQueueList = computeQueues
  .map((name) => `\`${name}\` (${queues[name].summary})`)
  .join(', ');
