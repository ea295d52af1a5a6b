/** What an answer takes besides its text: the id, and a place in the map. */
const entryCharacters = 200;

/**
 * The results that were handed out last, as text, within a limit of characters. What was asked names all that its answer
 * depends on, so that an answer stays true; what nobody asks for goes first.
 */
export class RecentAnswers {
  readonly #limit: number;
  /** In the order in which they were asked for, the latest last. */
  readonly #texts = new Map<string, string>();
  #characters = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  find(id: string): string | undefined {
    const text = this.#texts.get(id);
    if (text === undefined) return undefined;
    this.#texts.delete(id);
    this.#texts.set(id, text);
    return text;
  }

  /** Keeps an answer; one that would push out all others is not kept. */
  add(id: string, text: string): void {
    if (text.length > this.#limit / 8 || this.#texts.has(id)) return;
    // A copy: a part of a message would keep all of the message.
    this.#texts.set(id, Buffer.from(text).toString());
    this.#characters += text.length + entryCharacters;
    for (const [oldest, { length }] of this.#texts) {
      if (this.#characters <= this.#limit) break;
      this.#texts.delete(oldest);
      this.#characters -= length + entryCharacters;
    }
  }
}
