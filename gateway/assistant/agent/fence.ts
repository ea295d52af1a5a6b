import { randomBytes } from 'node:crypto';

/** The most characters of one piece of data for a model. */
const mostLength = 12_000;

/**
 * Marks data for a model: it stands between two lines with a random word that data can't contain. Tools, partners or earlier
 * answers wrote the text between them, so it is no instruction.
 */
export class Fence {
  readonly word = randomBytes(9).toString('base64url');

  wrap(data: unknown): string {
    const text = typeof data === 'string' ? data : JSON.stringify(data);
    const shown = text.length > mostLength ? `${text.slice(0, mostLength)}… (cut)` : text;
    return `<data ${this.word}>\n${shown}\n</data ${this.word}>`;
  }
}
