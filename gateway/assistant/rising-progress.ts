import type { JobProgress } from '../../jobs/requests/job-client.js';
import type { Asker, ChatEvent } from './assistant.js';

/** The share of the remaining progress that one tool takes. How many tools an answer needs is not known beforehand. */
const shareOfTool = 0.2;

/** The progress of an answer, which never falls: a step for each tool that begins, and a smaller one for each report of a job. */
export class RisingProgress {
  readonly #asker: Pick<Asker, 'onProgress' | 'onEvent'>;
  #fraction = 0;

  constructor(asker: Pick<Asker, 'onProgress' | 'onEvent'>) {
    this.#asker = asker;
  }

  /** Passes an event on; a tool that begins is a step. */
  readonly onEvent = (event: ChatEvent): void => {
    this.#asker.onEvent?.(event);
    if (event.name !== 'tool' || event.data.state !== 'started') return;
    this.#rise(event.data.tool, this.#fraction + (1 - this.#fraction) * shareOfTool);
  };

  /** Raises the progress a little with each report of a job. */
  readonly onProgress = ({ phase, fraction }: JobProgress): void =>
    this.#rise(phase, this.#fraction + (1 - this.#fraction) * shareOfTool * fraction * 0.1);

  #rise(phase: string, fraction: number): void {
    this.#fraction = fraction;
    this.#asker.onProgress?.({ phase, fraction });
  }
}
