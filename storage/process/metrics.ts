import { setTimeout as pause } from 'node:timers/promises';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

const seconds = (from: number, to: number) =>
  [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60].filter(
    (bound) => bound >= from && bound <= to,
  );

/** How a request to a job queue ended, as the gateway sees it. Each request has one outcome. */
export type RequestOutcome = 'computed' | 'joined' | 'stored' | 'refused' | 'failed' | 'cancelled';

/** Metrics whose values are read at each scrape instead of being counted as things happen. */
const sampledMetrics = {
  requestsInFlight: ['gauge', 'tidemark_http_requests_in_flight', 'Requests being answered.', []],
  openStreams: ['gauge', 'tidemark_live_streams', 'Open streams of what happens (GET /backend/stream).', []],
  pendingRequests: [
    'gauge',
    'tidemark_job_requests_waiting',
    'Callers of this gateway that wait for a job.',
    [],
  ],
  queueJobs: [
    'gauge',
    'tidemark_queue_jobs',
    'Jobs in a queue that wait or run on any node, and requests that this gateway has not sent yet (state unsent).',
    ['queue', 'state'],
  ],
  items: ['gauge', 'tidemark_job_items', 'Requests that this node is computing.', []],
  threads: ['gauge', 'tidemark_pool_threads', 'Threads of a pool, by state.', ['pool', 'state']],
  poolWaiting: ['gauge', 'tidemark_pool_waiting_tasks', 'Tasks that wait for a free thread.', ['pool']],
  unprotectedPositions: [
    'gauge',
    'tidemark_unprotected_positions',
    'Open positions whose stop is not at the exchange, for all workers: missing although it should stand there, or watched because it cannot (or was cancelled by hand). Watched ones depend on the workers.',
    ['stop'],
  ],
  unprotectedSeconds: [
    'gauge',
    'tidemark_unprotected_seconds',
    'For how long the longest of the missing stops has been missing.',
    [],
  ],
  cacheBytes: [
    'gauge',
    'tidemark_candle_cache_bytes',
    'Candles in shared memory, reserved space for new ones, and strategy decisions on them, in bytes.',
    [],
  ],
  cacheReads: [
    'counter',
    'tidemark_candle_cache_reads_total',
    'Series requested from the candle cache: hit or miss.',
    ['result'],
  ],
  cacheLoads: [
    'counter',
    'tidemark_candle_cache_loads_total',
    'Series read from storage on request or announcement, by result: whole, append (new candles at the end), change, none.',
    ['brought'],
  ],
  buildInfo: [
    'gauge',
    'tidemark_build_info',
    'Always 1: release, engine and role of the process.',
    ['version', 'engine', 'role'],
  ],
  serverUp: [
    'gauge',
    'tidemark_server_up',
    'Whether redis and mongodb answer this process: 1 or 0.',
    ['server'],
  ],
  nodes: ['gauge', 'tidemark_nodes', 'Live processes of the whole cluster by role.', ['role']],
  deadJobs: ['gauge', 'tidemark_dead_jobs', 'Dead jobs of the whole cluster by queue.', ['queue']],
  scheduleAge: [
    'gauge',
    'tidemark_schedule_age_seconds',
    'Time since the last run of a schedule began.',
    ['schedule'],
  ],
  candleAge: [
    'gauge',
    'tidemark_candle_age_seconds',
    'Time since the close of the last stored 1h candle of the market, of the median pair: up to an hour if none is missing.',
    [],
  ],
  dueExecutions: [
    'gauge',
    'tidemark_due_executions',
    'Executions and deliveries of signals that are due now.',
    [],
  ],
  dueAge: [
    'gauge',
    'tidemark_due_age_seconds',
    'For how long the oldest of these has been due; 0 if there is none.',
    [],
  ],
  failedSteps: [
    'gauge',
    'tidemark_failed_steps',
    'Executions and deliveries that are left to the operator after failed steps.',
    [],
  ],
  mailsWaiting: ['gauge', 'tidemark_mails_waiting', 'Mails that are not sent yet.', []],
  backupAge: [
    'gauge',
    'tidemark_backup_age_seconds',
    'Time since the last backup by the command `backup create` began.',
    [],
  ],
} as const satisfies Record<string, readonly ['gauge' | 'counter', string, string, readonly string[]]>;

export type SampledMetric = keyof typeof sampledMetrics;

export type MetricSample = readonly [value: number, labels?: Record<string, string>];

/** Prometheus waits ten seconds for a scrape: while MongoDB is away, what needs it must not cost the sample that says so. */
const readWithinMs = 3_000;

type SampleReader = () => Promise<MetricSample[]> | MetricSample[];

/**
 * The metrics of one process. Label values come from fixed lists in the code (routes, jobs, commands, error codes), never
 * from client input.
 */
export class Metrics {
  readonly registry = new Registry();
  readonly #readers = new Map<SampledMetric, SampleReader[]>();
  readonly #requests = this.#histogram(
    'tidemark_http_request_duration_seconds',
    'Requests by route pattern (none: no route) and status (gone: the client disconnected before the answer).',
    ['method', 'route', 'status'],
  );
  readonly #jobRequests = this.#counter(
    'tidemark_job_requests_total',
    'Requests to job queues by outcome: computed by a node, joined to an equal request of this gateway, stored result, ' +
      'refused (queue full, Redis unavailable), failed, cancelled.',
    ['job', 'answered'],
  );
  readonly #waits = this.#histogram(
    'tidemark_job_wait_seconds',
    'Time of computed and joined requests outside the node: in the gateway, in the queue and on the network.',
    ['queue'],
  );
  readonly #runs = this.#histogram(
    'tidemark_job_run_seconds',
    'Time of a request on the node, by outcome: computed, shared (a result was stored), elsewhere (another node was computing it), or an error code.',
    ['job', 'outcome'],
  );
  readonly #tasks = this.#histogram('tidemark_task_compute_seconds', 'Compute time in a thread, by task.', [
    'task',
  ]);
  readonly #stored = this.#counter(
    'tidemark_results_stored_bytes_total',
    'Results stored in Redis for later equal requests, in bytes of JSON text.',
  );
  readonly #roundTrips = this.#histogram(
    'tidemark_round_trip_seconds',
    'Time of commands to Redis and MongoDB until their answer, without those that wait for jobs or messages.',
    ['server', 'command', 'outcome'],
    seconds(0.001, 1),
  );

  readonly #access = this.#counter(
    'tidemark_ai_requests_total',
    'Requests to /v3/ai within the rate limit by access: signature, agent (trusted, without a signature), or refused.',
    ['access'],
  );

  readonly #toolCalls = this.#histogram(
    'tidemark_tool_call_duration_seconds',
    'Calls of tools at /mcp by tool and outcome: answered, or an error code.',
    ['tool', 'outcome'],
  );

  #histogram(name: string, help: string, labelNames: string[], buckets = seconds(0.001, 60)) {
    return new Histogram({ name, help, labelNames, buckets, registers: [this.registry] });
  }

  #counter(name: string, help: string, labelNames: string[] = []) {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  requestEnded(method: string, route: string, status: string, ms: number): void {
    this.#requests.observe({ method, route, status }, ms / 1_000);
  }

  toolCalled(tool: string, outcome: string, ms: number): void {
    this.#toolCalls.observe({ tool, outcome }, ms / 1_000);
  }

  accessDecided(access: 'signature' | 'agent' | 'refused'): void {
    this.#access.inc({ access });
  }

  jobRequestEnded(job: string, answered: RequestOutcome): void {
    this.#jobRequests.inc({ job, answered });
  }

  jobRequestWaited(queue: string, ms: number): void {
    this.#waits.observe({ queue }, ms / 1_000);
  }

  itemEnded(job: string, outcome: string, ms: number): void {
    this.#runs.observe({ job, outcome }, ms / 1_000);
  }

  taskEnded(task: string, ms: number): void {
    this.#tasks.observe({ task }, ms / 1_000);
  }

  resultStored(bytes: number): void {
    this.#stored.inc(bytes);
  }

  roundTrip(server: 'redis' | 'mongodb', command: string, outcome: 'ok' | 'error', ms: number): void {
    this.#roundTrips.observe({ server, command, outcome }, ms / 1_000);
  }

  /** Registers a function that reads a sampled metric; values of several are added. If one fails or takes longer than `readWithinMs`, the scrape leaves the metric out. */
  read(metricName: SampledMetric, samples: SampleReader): void {
    const readers = this.#readers.get(metricName) ?? [];
    if (readers.push(samples) > 1) return;
    this.#readers.set(metricName, readers);
    const [kind, name, help, labelNames] = sampledMetrics[metricName];
    const options = { name, help, labelNames: [...labelNames] as string[], registers: [this.registry] };
    const metric: Counter | Gauge =
      kind === 'gauge' ? new Gauge({ ...options, collect }) : new Counter({ ...options, collect });
    async function collect() {
      const read = Promise.all(readers.map(async (each) => each())).then(
        (each) => each.flat(),
        () => [],
      );
      const found = await Promise.race([read, pause(readWithinMs, [], { ref: false })]);
      metric.reset();
      // After a reset a metric without labels reports zero, which would be wrong.
      if (found.length === 0 && labelNames.length === 0) metric.remove();
      for (const [value, labels = {}] of found) metric.inc(labels, value);
    }
  }
}
