import type { RunOptions } from '../../jobs/requests/job-client.js';
import type { Answer, Job } from '../../jobs/job.js';
import type { Caller, Deps } from '../context.js';

/**
 * How the job of an operation runs for a caller: for its user or address, while it is connected, with progress if wanted, and within
 * `timeoutMs` if that is shorter than the job's own limit. A class for the reason given at `RequestCaller`; a spread would lose its signal.
 */
export class CallerRunOptions implements RunOptions {
  readonly traceId: string;
  readonly owner: string;
  readonly timeoutMs?: number;
  readonly onProgress?: NonNullable<RunOptions['onProgress']>;
  readonly #caller: Caller;

  constructor(caller: Caller, timeoutMs?: number) {
    this.traceId = caller.requestId;
    this.owner = caller.user?.userId ?? caller.address;
    if (timeoutMs !== undefined) this.timeoutMs = timeoutMs;
    if (caller.onProgress) this.onProgress = caller.onProgress;
    this.#caller = caller;
  }

  /** Read only when the job is waited for, because reading it takes the request out of those in hand. */
  get signal(): AbortSignal {
    return this.#caller.signal;
  }
}

/** The answer of a job that runs for a caller, whose timings then have those of the job. */
export async function runJob<Payload, Result>(
  job: Job<string, Payload, Result, never>,
  payload: Payload,
  { queues }: Pick<Deps, 'queues'>,
  caller: Caller,
  timeoutMs?: number,
): Promise<Answer<Result>> {
  const answer = await queues.run(job, payload, new CallerRunOptions(caller, timeoutMs));
  Object.assign(caller.timings, answer.timings);
  return answer;
}
