import { wordSet } from '../word-list.js';
import { jsonObject } from '../../json-object.js';

/** A JSON object in a text, with objects one level deep in it. */
const objects = /\{[^{}]*:[^{}]*(?:\{[^{}]*\}[^{}]*)*\}/gs;

/** Fields of a signal; an object with two of them is one. */
const signalFields = wordSet('readers', 'signalFields');
const leastFields = 2;

/** A signal as an object, or as its fields: "coin ETH, type long, entry_price_max 2500"; null for anything else. */
export function pastedSignal(text: string): Record<string, unknown> | null {
  const object =
    pastedObject(text) ??
    Object.fromEntries(
      [...text.matchAll(fields)].map(([, name, value]) => [name, numbers.has(name) ? Number(value) : value]),
    );
  return Object.keys(object).filter((name) => signalFields.has(name)).length >= leastFields ? object : null;
}
/** Prices are decimals in text; these are numbers. */
const numbers = new Set(['invest', 'leverage']);
const fields = /\b(coin|type|invest|exchange|leverage|account|[a-z]+(?:_[a-z\d]+)+)[ :=]+([\w.]+)/g;

/** The text with blanks for all braces that enclose no signal, so that their content is read as words. */
export const keepSignals = (text: string): string =>
  text.replace(objects, (piece) => (pastedSignal(piece) === null ? piece.replace(/[{}"]/g, ' ') : piece));

/** The object that a text is, as JSON or with names and words without quotes, `{coin: BTC}`; null for anything else. */
function pastedObject(text: string): Record<string, unknown> | null {
  return jsonObject(text) ?? jsonObject(quoted(text));
}

/** Names, words and numbers with quotes around them: prices are decimals in text. */
const quoted = (text: string): string =>
  text
    .replace(/[“”'’]/g, '"')
    .replace(/([{,]\s*)([A-Za-z_]\w*)(\s*:)/g, '$1"$2"$3')
    .replace(/(:\s*)([A-Za-z\d._-]+)(\s*[,}\]])/g, '$1"$2"$3')
    .replace(/,(\s*[}\]])/g, '$1');
