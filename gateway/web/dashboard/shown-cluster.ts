/** The fields of GET /operator/cluster that the page shows. Times are ISO 8601; `gateway/operations/operator` describes all. */
export interface ShownCluster {
  at: string;
  nodes: ShownNode[];
  jobs: ShownJob[];
  queues: ShownQueue[];
  schedules: ShownSchedule[];
  dead: DeadJob[];
}

interface ShownThreads {
  interactive: number;
  background: number;
}

interface ShownNode {
  role: string;
  host: string;
  pid: number;
  version: string;
  startedAt: string;
  queues: string[];
  threads: ShownThreads | null;
  busy: ShownThreads | null;
  running: number;
  load: { cpu: number; eventLoop: number };
  lastHeartbeat: string;
  lost: boolean;
}

export interface ShownJob {
  id: string;
  name: string;
  traceId: string;
  ms: number;
  phase: string | null;
  fraction: number | null;
  node: string;
}

interface ShownQueue {
  name: string;
  nodes: number;
  waiting: number;
  active: number;
  delayed: number;
  failed: number;
  oldestWaitMs: number | null;
}

interface ShownSchedule {
  name: string;
  summary: string;
  pattern: string;
  nextRunAt: string | null;
  lastRun: { startedAt: string; outcome: 'running' | 'done' | 'failed' | 'interrupted'; note: string } | null;
}

export interface DeadJob {
  id: string;
  queue: string;
  name: string;
  payload: unknown;
  complete: boolean;
  error: { code: string; message: string; stack: string | null };
  traceId: string;
  attempts: number;
  node: string;
  at: string;
  times: number;
}
