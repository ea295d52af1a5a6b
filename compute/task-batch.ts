import type { TaskRequest, TaskResponse } from './task.js';

/** One message to a thread: requests to run one after the other. */
export interface TaskBatch {
  requests: TaskRequest[];
  /** One of `requestStates` for each request, written by both sides; absent when none of them can be dropped. */
  states?: Int32Array;
}

/** A request waits until its thread begins it. A request that is dropped before that is skipped. */
export const requestStates = { waiting: 0, begun: 1, dropped: 2 } as const;

/** The responses in the order of the requests; null for a request that was dropped. */
export function runTaskBatch(
  { requests, states }: TaskBatch,
  run: (request: TaskRequest) => TaskResponse,
): (TaskResponse | null)[] {
  const { waiting, begun } = requestStates;
  return requests.map((request, n) =>
    states && Atomics.compareExchange(states, n, waiting, begun) !== waiting ? null : run(request),
  );
}
