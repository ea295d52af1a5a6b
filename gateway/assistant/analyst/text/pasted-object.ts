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

const price = String.raw`\$?((?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?k?)`;
const cardParts = {
  type: /\b(long|short)\b/i,
  pair: /(?:[#$]|\b)([a-z]{2,10}) ?\/ ?(usdt|usdc|btc)\b/i,
  entry: new RegExp(String.raw`\bentr(?:y|ies)(?: zone)?[ :=@]+${price}(?:\s*(?:-|–|to)\s*${price})?`, 'i'),
  stop: new RegExp(String.raw`\b(?:sl|stop[ -]?loss|stop)[ :=@]+${price}`, 'i'),
  invest: /\binvest(?:ing|ment)?[ :=]+(\d+(?:\.\d+)?) ?%/i,
  exchange: /\b(binance|bybit|kucoin|paper)\b/i,
  leverage: /\b(?:x ?(\d{1,3})|(\d{1,3}) ?x)\b/i,
  account: /\b(spot|margin|futures)\b/i,
  margin: /\b(isolated|cross)\b/i,
};
const cardTargets = new RegExp(String.raw`\b(?:tps?|targets?|take[ -]?profits?) ?\d?\b[ :=@]+${price}`, 'gi');

const decimal = (text: string): string => {
  const plain = text.replaceAll(',', '');
  return /k$/i.test(plain) ? String(Number(plain.slice(0, -1)) * 1_000) : plain;
};

/** A signal as channels write it, "LONG SOL/USDT entry 28-29, tp 31, tp 33, sl 26.5, invest 3%, binance spot", as an object of its fields in its place. */
function withCards(text: string): string {
  const found = Object.values(cardParts).map((part) => part.exec(text));
  const [type, pair, entry, stop, invest, exchange, leverage, account, margin] = found;
  const targets = [...text.matchAll(cardTargets)];
  if (!type || !pair || !entry || !stop || targets.length === 0 || !(invest ?? exchange)) return text;
  const parts = [...found.filter((each) => each !== null), ...targets];
  const ends = parts.map(({ index, 0: part }) => index + part.length);
  const bounds = [entry[1], entry[2]].flatMap((bound) => (bound ? [decimal(bound)] : []));
  const [low, high] = bounds.toSorted((one, other) => Number(one) - Number(other));
  const times = Number(leverage?.[1] ?? leverage?.[2] ?? 1);
  const signal = {
    coin: pair[1].toUpperCase(),
    trade_market: pair[2].toUpperCase(),
    type: type[1].toLowerCase(),
    ...(exchange && { exchange: exchange[1].toUpperCase() }),
    ...(invest && { invest: Number(invest[1]) }),
    entry_price_max: high ?? low,
    ...(high && { entry_price_min: low }),
    ...Object.fromEntries(targets.map((target, n) => [`exit_price_${n + 1}`, decimal(target[1])])),
    stop_loss: decimal(stop[1]),
    ...(leverage && { leverage: times }),
    ...((account !== null || times > 1) && { account: account?.[1].toUpperCase() ?? 'FUTURES' }),
    ...(margin && { margin_type: margin[1].toUpperCase() }),
  };
  const from = Math.min(...parts.map(({ index }) => index));
  return `${text.slice(0, from)}${JSON.stringify(signal)}${text.slice(Math.max(...ends))}`;
}

/** The text with blanks for all braces that enclose no signal, so that their content is read as words. */
export const keepSignals = (text: string): string =>
  withCards(text).replace(objects, (piece) =>
    pastedSignal(piece) === null ? piece.replace(/[{}"]/g, ' ') : piece,
  );

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
