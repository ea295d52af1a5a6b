import { AppError, fieldError } from '../../compute/model/errors.js';

const deepest = 32;
const mostKeys = 1_000;

/** Keys that change the prototype of an object when a program copies key by key. */
const prototypeKeys = new Set(['__proto__']);

/**
 * The value of a JSON text. Throws `invalid_body`, or `invalid_input` if a single field is at fault, for text that is not
 * JSON and for JSON that programs interpret differently: a repeated key, the key __proto__, half a surrogate pair, a number
 * that a double can't hold, more than 32 levels or 1,000 keys. The text is checked in one pass before it is parsed.
 */
export function parseStrictJson(text: string): unknown {
  inspect(text);
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw refused(`the body is not JSON${faultOf(error as SyntaxError)}`, error);
  }
}

/**
 * V8's message without the piece of text it quotes, which may contain a password, and without the line and column that
 * only newer versions of Node add.
 */
function faultOf({ message }: SyntaxError): string {
  const fault = message
    .replace(/(^|, )(\.\.\.)?"[^]*"(\.\.\.)? is not valid JSON$/, '')
    .replace(/ \(line \d+ column \d+\)$/, '');
  return fault === '' ? '' : `: ${fault}`;
}

/** One token: a string, a number or a punctuator. Everything else is left to JSON.parse. */
const token = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|[{}[\]:,]/gsy;
const between = /[^"\-\d{}[\]:,]*/y;

/** An open object with the keys it has, or an open list, and the key or position of the value that is being read. */
interface Container {
  names: Set<string> | null;
  place: string | number;
}

/** Refuses ambiguous JSON. Text that is not JSON may pass, because JSON.parse refuses it afterwards. */
function inspect(text: string): void {
  const open: Container[] = [];
  let keys = 0;
  let at = 0;
  while (at < text.length) {
    between.lastIndex = at;
    between.test(text);
    token.lastIndex = between.lastIndex;
    const found = token.exec(text);
    if (!found) return;
    const [part] = found;
    at = token.lastIndex;
    if (part === '{' || part === '[') {
      open.push(part === '{' ? { names: new Set(), place: '' } : { names: null, place: 0 });
      if (open.length > deepest) throw refusedIn(open.slice(0, 1), `more than ${deepest} levels`);
    } else if (part === '}' || part === ']') {
      open.pop();
    } else if (part === ',') {
      const list = open.at(-1);
      if (typeof list?.place === 'number') list.place++;
    } else if (part.startsWith('"')) {
      const value = readText(part);
      const names = open.at(-1)?.names;
      const key = value !== null && names && isKey(text, at) ? value : null;
      if (key !== null) addKey(names!, key, ++keys, open);
      checkText(value, key === null ? open : []);
    } else if (part.length > 1) {
      checkNumber(part, open);
    }
  }
}

/** The value of a string token; null if it is not valid JSON. */
function readText(quoted: string): string | null {
  if (!quoted.includes('\\')) return quoted.slice(1, -1);
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return null;
  }
}

const colon = /\s*:/y;

/** Whether the string that ends here is a key: a colon follows. */
function isKey(text: string, end: number): boolean {
  colon.lastIndex = end;
  return colon.test(text);
}

function addKey(names: Set<string>, name: string, keys: number, open: Container[]): void {
  const own = open.at(-1)!;
  own.place = open.length === 1 ? name : '';
  if (names.has(name)) throw refusedIn(open, `the key ${shown(name)} twice`);
  if (prototypeKeys.has(name)) throw refused(`key ${shown(name)} is not allowed`);
  if (keys > mostKeys) throw refused(`the body has more than ${mostKeys} keys`);
  own.place = name;
  names.add(name);
}

function checkText(value: string | null, open: Container[]): void {
  if (value !== null && /\p{Surrogate}/u.test(value)) throw refusedIn(open, 'half a surrogate pair');
}

/** Refuses numbers that a double changes: to infinity, to zero, or to another whole number. */
function checkNumber(digits: string, open: Container[]): void {
  const value = Number(digits);
  if (Number.isNaN(value)) return;
  const isLost = !Number.isFinite(value) || (value === 0 && /[1-9]/.test(digits.replace(/[eE].*/, '')));
  const shown = digits.slice(0, 60);
  if (isLost) throw refusedIn(open, `the number ${shown}, beyond what a double holds`);
  const isWhole = /^-?\d+$/.test(digits) && !Number.isSafeInteger(value);
  // A double may be written with all its digits, or with the fewest digits that identify it.
  if (isWhole && digits !== String(value) && digits !== String(BigInt(value)))
    throw refusedIn(open, `the number ${shown}, which has more digits than a double holds`);
}

const shown = (name: string) => JSON.stringify(name.slice(0, 60));

/** Blames the value that is being read by its path, as far as its keys look like ours; else the whole body. */
function refusedIn(open: Container[], what: string): AppError {
  let field = '';
  for (const { place } of open) {
    if (typeof place === 'string' && !/^[a-z][a-z0-9_]{0,40}$/i.test(place)) break;
    if (typeof place === 'number' && field === '') break;
    field += typeof place === 'number' ? `[${place}]` : field === '' ? place : `.${place}`;
  }
  if (field === '') return refused(`the body holds ${what}`);
  return fieldError(field, `"${field}" holds ${what}`);
}

const refused = (message: string, cause?: unknown) => new AppError('invalid_body', message, { cause });
