import { jsonObject } from '../../json-object.js';

/** A JSON object in a text, with objects one level deep in it. */
const objects = /\{[^{}]*:[^{}]*(?:\{[^{}]*\}[^{}]*)*\}/gs;

/** The text with blanks for all braces that enclose no object, so that their content is read as words. */
export const keepObjects = (text: string): string =>
  text.replace(objects, (piece) => (pastedObject(piece) === null ? piece.replace(/[{}]/g, ' ') : piece));

/** The object that a text is, as JSON or with names and words without quotes, `{coin: BTC}`; null for anything else. */
export function pastedObject(text: string): Record<string, unknown> | null {
  return jsonObject(text) ?? jsonObject(quoted(text));
}

/** Names, words and numbers with quotes around them: prices are decimals in text. */
const quoted = (text: string): string =>
  text
    .replace(/[“”'’]/g, '"')
    .replace(/([{,]\s*)([A-Za-z_]\w*)(\s*:)/g, '$1"$2"$3')
    .replace(/(:\s*)([A-Za-z\d._-]+)(\s*[,}\]])/g, '$1"$2"$3')
    .replace(/,(\s*[}\]])/g, '$1');
