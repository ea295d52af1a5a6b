import { roundFigures } from '../../compute/model/round-figures.js';
import type { Answer } from '../../jobs/job.js';
import type { OperationResult } from '../operation.js';

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
