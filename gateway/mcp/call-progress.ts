import type { JobProgress } from '../../jobs/requests/job-client.js';

/** Progress of a running call is sent at least this often. */
const everyMs = 1_500;

/** The parameters of a progress notification, without its token. */
interface ProgressParams {
  progress: number;
  total: number;
  message: string;
}

/**
 * The progress of one call. Each report is sent at once and repeated until the next report, because some clients give up
 * without progress. The figure must rise with each message, so a repetition adds a hundredth of the remainder.
 */
export class CallProgress {
  readonly #send: (params: ProgressParams) => void;
  readonly #repeating: NodeJS.Timeout;
  #sent = 0;
  #phase = 'queued';

  constructor(send: (params: ProgressParams) => void) {
    this.#send = send;
    this.#repeating = setInterval(() => this.#rise(this.#sent + (1 - this.#sent) / 100), everyMs);
  }

  report({ fraction, phase }: JobProgress): void {
    this.#phase = phase;
    if (fraction > this.#sent) this.#rise(fraction);
  }

  /** Stops repeating. */
  close(): void {
    clearInterval(this.#repeating);
  }

  #rise(progress: number): void {
    this.#sent = progress;
    this.#send({ progress, total: 1, message: this.#phase });
  }
}
