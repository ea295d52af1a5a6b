/** Where a sentence ends: a full stop, exclamation or question mark before white space, or a line break. */
const sentenceEnd = /[.!?](?=\s)|\n/g;

/**
 * Passes text on sentence by sentence, after a check: a client never sees a figure that is not supported. After the first
 * sentence that fails, nothing more is passed on.
 */
export class CheckedText {
  readonly #isSound: (text: string) => boolean;
  readonly #send: (text: string) => void;
  #waiting = '';
  #hasFailed = false;
  #hasSent = false;

  constructor(isSound: (text: string) => boolean, send: (text: string) => void) {
    this.#isSound = isSound;
    this.#send = send;
  }

  /** Whether anything was passed on. */
  get hasSent(): boolean {
    return this.#hasSent;
  }

  add(text: string): void {
    if (this.#hasFailed) return;
    this.#waiting += text;
    const end = [...this.#waiting.matchAll(sentenceEnd)].at(-1);
    if (end) this.#pass(end.index + 1);
  }

  /** Passes the rest on. */
  end(): void {
    this.#pass(this.#waiting.length);
  }

  #pass(length: number): void {
    const text = this.#waiting.slice(0, length);
    if (text === '' || this.#hasFailed) return;
    this.#waiting = this.#waiting.slice(length);
    this.#hasFailed = !this.#isSound(text);
    if (this.#hasFailed) return;
    this.#hasSent = true;
    this.#send(text);
  }
}
