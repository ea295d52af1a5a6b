import type { TaskRequest, TaskResponse } from './task.js';

/** A batch of requests for a thread, and the state of each in memory that both sides write. */
export interface TaskParcel {
  requests: TaskRequest[];
  /** One of `requestStates` for each request; absent where requests cannot be dropped. */
  states?: Int32Array;
}

/** A request is waiting until its thread starts it. One that is dropped before that is skipped. */
export const requestStates = { waiting: 0, begun: 1, dropped: 2 } as const;

/** The responses in the order of the requests; null for a request that was dropped before its start. */
export function runParcel(
  { requests, states }: TaskParcel,
  run: (request: TaskRequest) => TaskResponse,
): (TaskResponse | null)[] {
  const { waiting, begun } = requestStates;
  return requests.map((request, n) =>
    states && Atomics.compareExchange(states, n, waiting, begun) !== waiting ? null : run(request),
  );
}
