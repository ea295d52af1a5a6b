import type { TaskRequest, TaskResponse } from './task.js';

/** What is sent to a thread: what it is asked one after the other, and a state for each that both sides change. */
export interface TaskParcel {
  requests: TaskRequest[];
  /** One of `requestStates` for each request; none where it is not to be dropped any more. */
  states?: Int32Array;
}

/** A request waits until its thread begins with it; one that is dropped before is left out. */
export const requestStates = { waiting: 0, begun: 1, dropped: 2 } as const;

/** Answers what is asked, in order; null for what was dropped before its turn. */
export function runParcel(
  { requests, states }: TaskParcel,
  run: (request: TaskRequest) => TaskResponse,
): (TaskResponse | null)[] {
  const { waiting, begun } = requestStates;
  return requests.map((request, n) =>
    states && Atomics.compareExchange(states, n, waiting, begun) !== waiting ? null : run(request),
  );
}
