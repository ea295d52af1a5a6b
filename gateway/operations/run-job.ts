import type { RunOptions } from '../../jobs/requests/job-client.js';
import type { Answer, Job } from '../../jobs/job.js';
import type { Caller, Deps } from '../context.js';
import { roundFigures } from '../../compute/model/round-figures.js';
import type { OperationResult } from '../operation.js';

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

interface LazyParts<Output> extends Pick<OperationResult<Output>, 'resultId' | 'etag'> {
  make: () => Output;
  text?: () => string | undefined;
  ttl: number | undefined;
}

/** A result whose payload, and its text, are made when they are read: a caller that has no use for one of them need not pay for it. */
export class LazyResult<Output extends object> implements OperationResult<Output> {
  readonly resultId: string | undefined;
  readonly ttl?: number;
  readonly etag?: string;
  readonly #parts: LazyParts<Output>;
  #payload: Output | undefined;

  constructor(parts: LazyParts<Output>) {
    const { resultId, ttl, etag } = parts;
    this.resultId = resultId;
    if (ttl !== undefined) this.ttl = ttl;
    if (etag !== undefined) this.etag = etag;
    this.#parts = parts;
  }

  get payload(): Output {
    return (this.#payload ??= this.#parts.make());
  }

  get text(): string | undefined {
    return this.#parts.text?.();
  }
}

/** The answer of a job that a thread has rounded, and what was asked: its text goes to the client without being parsed. */
export const passedOn = <Result extends { id: string }, About extends object>(
  answer: Answer<Result>,
  about: About,
  { id, ttl }: { id: string; ttl: number },
): LazyResult<Result & About> =>
  new LazyResult({
    make: () => ({ ...answer.result, ...about }),
    text: () => (answer.isRounded ? withMembers(answer.text, about) : undefined),
    etag: id.slice(0, 32),
    ttl,
  });

/** The JSON of an object, on one line, with further members. */
function withMembers(text: string, more: object): string {
  const members = JSON.stringify(roundFigures(more)).slice(1);
  return text.slice(0, -1).replace('\n', '') + (members === '}' ? '' : ',') + members;
}
