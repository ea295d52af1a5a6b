import { randomBytes } from 'node:crypto';

/** Characters of one piece of data that a model sees. */
const mostLength = 12_000;

/**
 * Marks data for a model: between two lines with a random word that no data can contain. What stands between them was
 * written by tools, partners or earlier answers and is no instruction.
 */
export class Fence {
  readonly word = randomBytes(9).toString('base64url');

  wrap(data: unknown): string {
    const text = typeof data === 'string' ? data : JSON.stringify(data);
    const shown = text.length > mostLength ? `${text.slice(0, mostLength)}… (cut)` : text;
    return `<data ${this.word}>\n${shown}\n</data ${this.word}>`;
  }
}
