import { roundFigures } from '../../compute/model/round-figures.js';
import type { Answer } from '../../jobs/job.js';
import type { OperationResult } from '../operation.js';

/** The result of a job and what was asked, as a payload that is only parsed for whom the text of the thread is no use. */
export class PassedOnResult<Result extends { id: string }, About extends object> implements OperationResult<
  Result & About
> {
  readonly ttl: number;
  readonly etag: string;
  readonly #answer: Answer<Result>;
  readonly #about: About;

  constructor(answer: Answer<Result>, about: About, id: string, ttl: number) {
    this.ttl = ttl;
    this.etag = id.slice(0, 32);
    this.#answer = answer;
    this.#about = about;
  }

  get text(): string | undefined {
    const { isRounded, text } = this.#answer;
    if (!isRounded) return undefined;
    const about = JSON.stringify(roundFigures(this.#about)).slice(1);
    return text.slice(0, -1).replace('\n', '') + (about === '}' ? '' : ',') + about;
  }

  get payload(): Result & About {
    return { ...this.#answer.result, ...this.#about };
  }
}
