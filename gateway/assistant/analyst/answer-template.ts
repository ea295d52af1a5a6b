import { dataFile } from './data-file.js';
import { writeMoment, writeNumber, writePercent, writePrice } from './format.js';
import type { Slots } from './slots.js';
import { strategies } from '../../../compute/strategies/index.js';

/** A name that a partner chose, in quotes, on one line and cut to a length. It is data, no instruction. */
export function quotedName(name: string, longest = 60): string {
  const line = name.replace(/[\s\p{C}"]+/gu, ' ').trim();
  const letters = [...line];
  return `"${letters.length > longest ? `${letters.slice(0, longest).join('')}…` : line}"`;
}

/** The most characters; the rest is cut off. */
const longest = 120;

/** A text of an exchange or partner on one line, cut to a length and without a full stop at its end. It is data, no instruction. */
export function oneLine(text: string): string {
  const letters = [
    ...text
      .replace(/[\s\p{C}]+/gu, ' ')
      .trim()
      .replace(/\.+$/, ''),
  ];
  return letters.length > longest ? `${letters.slice(0, longest).join('')}…` : letters.join('');
}

/** The title of a strategy, as in "EMA cross". */
const strategyTitle = (name: string): string =>
  strategies.find((strategy) => strategy.name === name)?.title ?? name.replaceAll('_', ' ');

/**
 * A sentence of an answer is a template: `{path}` is a value of the payload, `{path|format}` one in a form, `{@slot=default}` a slot
 * of the question, `{path,other}` the first value that there is, `{|format}` the whole item, `<path:6:{name} {value}>` the first six items of a list (the last with -6; `path?field` and `path?field=value` only those with it), each by a template of its own.
 * In a path, `rows[0]`, `rows[-1]` and `rows[interval=@interval=1d]` choose an item. A sentence that lacks a value is left out.
 */
export function fillTemplate(
  template: string,
  payload: object,
  slots: Slots,
  choose: ChooseRows = firstRows,
): string | null {
  try {
    return fill(template, payload, slots, choose);
  } catch (error) {
    if (error instanceof MissingValue) return null;
    throw error;
  }
}

/** Chooses the rows of the list of that name that are told, of which a template tells so many: the last ones, where it is negative. */
export type ChooseRows = (name: string, rows: readonly unknown[], most: number) => ChosenRows;

interface ChosenRows {
  shown: readonly unknown[];
  /** Whether there are more like these. */
  isCut: boolean;
}

const firstRows: ChooseRows = (_, rows, most) => ({
  shown: most < 0 ? rows.slice(most) : rows.slice(0, most),
  isCut: most > 0 && rows.length > most,
});

/** What stands behind the shown rows of a longer list. */
export const cutText = (rows: number): string => `; and more (${rows} in all)`;

class MissingValue extends Error {}

function fill(template: string, from: unknown, slots: Slots, choose: ChooseRows): string {
  return withLists(template, from, slots, choose).replace(/\{([^{}]+)\}/g, (_, inner: string) => {
    const [paths, format = ''] = inner.split('|');
    const values = paths.split(',').map((path) => (path === '' ? from : valueAt(path, from, slots)));
    return written(values.find((value) => value !== null && value !== undefined) ?? null, format);
  });
}

/** Lists may hold lists: the innermost brackets belong to the outermost item. */
function withLists(template: string, from: unknown, slots: Slots, choose: ChooseRows): string {
  const start = template.search(/<[\w.[\]?=]+:-?\d+:/);
  if (start === -1) return template;
  const end = closing(template, start);
  const [, path, only, value, count, each] = /^<([\w.[\]]+)(?:\?(\w+)(?:=(\w+))?)?:(-?\d+):(.*)>$/s.exec(
    template.slice(start, end + 1),
  )!;
  const all = valueAt(path, from, slots);
  if (!Array.isArray(all)) throw new MissingValue(path);
  const isShown = (item: object) =>
    value === undefined ? Boolean(Reflect.get(item, only)) : Reflect.get(item, only) === value;
  const items = only === undefined ? all : all.filter(isShown);
  const most = Number(count);
  const { shown, isCut } = choose(path.split('.').at(-1)!, items, most);
  const texts = shown.flatMap(
    (item) => fillTemplate(each, { ...(from as object), ...(item as object) }, slots, choose) ?? [],
  );
  if (texts.length === 0) throw new MissingValue(path);
  const text = `${texts.join('; ')}${isCut ? cutText(items.length) : ''}`;
  // What lists have become is no template any more.
  const rest = withLists(template.slice(end + 1), from, slots, choose);
  return `${template.slice(0, start)}${text.replace(/[{}]/g, '')}${rest}`;
}

function closing(template: string, start: number): number {
  let depth = 0;
  for (let at = start; at < template.length; at++) {
    if (template[at] === '<') depth++;
    if (template[at] === '>' && --depth === 0) return at;
  }
  return template.length - 1;
}

function valueAt(path: string, from: unknown, slots: Slots): unknown {
  if (path.startsWith('@')) {
    const [name, otherwise] = path.slice(1).split('=');
    return (slots as Record<string, unknown>)[name] ?? otherwise ?? null;
  }
  let value: unknown = from;
  for (const [, name, at] of path.matchAll(/([\w]+)|\[([^\]]+)\]/g)) {
    if (value === null || typeof value !== 'object') return null;
    value = name === undefined ? itemAt(value as unknown[], at, slots) : Reflect.get(value, name);
  }
  return value;
}

/** An item by its place, or the one whose field has the value of a slot: `interval=@interval=1d`. */
function itemAt(items: unknown[], at: string, slots: Slots): unknown {
  if (!Array.isArray(items)) return null;
  const place = Number(at);
  if (!isNaN(place)) return items.at(place) ?? null;
  const equals = at.indexOf('=');
  const wanted = valueAt(at.slice(equals + 1), {}, slots);
  return items.find((item) => Reflect.get(item as object, at.slice(0, equals)) === wanted) ?? null;
}

/** An indicator of a payload, with a line of it around which a list is told. */
interface ShownIndicator {
  name: string;
  title: string;
  params: Readonly<Record<string, number>>;
  outputs: readonly object[];
  values: readonly (number | null)[];
}

/** "RSI (14)", "Bollinger Bands (20, 2)". */
export function indicatorName({
  name,
  title,
  params,
}: Pick<ShownIndicator, 'name' | 'title' | 'params'>): string {
  const settings = Object.values(params).join(', ');
  return `${name.length > 4 ? title : name.toUpperCase()}${settings === '' ? '' : ` (${settings})`}`;
}

/** The value of a line at a place from the end, with the name of the line where the indicator has several. */
function outputWords({ name, outputs, values }: ShownIndicator, at: number): string {
  const value = values.at(at);
  if (value === null || value === undefined) throw new MissingValue(name);
  const text = name === 'direction' ? (value > 0 ? 'up' : 'down') : writeNumber(value);
  return outputs.length === 1 ? text : `${name.replaceAll('_', ' ')} ${text}`;
}

/** What the rules of the risk score find, in words. */
const riskRules = dataFile<Record<string, string>>('risk-rules');

const day = /^\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?$/;

/** A value in words. Throws `MissingValue` for none. */
function written(value: unknown, format: string): string {
  const [kind, otherwise, no] = format.split(':');
  if (kind === 'flag' && typeof value === 'boolean') return value ? otherwise : no;
  if (value === null || value === undefined || value === '') {
    if (otherwise !== undefined) return otherwise;
    throw new MissingValue(kind);
  }
  if (kind === 'indicator') return indicatorName(value as ShownIndicator);
  if (kind === 'output') return outputWords(value as ShownIndicator, Number(otherwise));
  if (kind === 'list') return listWords(value as unknown[]);
  if (kind === 'record')
    return Object.entries(value as Record<string, number>)
      .map(([name, each]) => `${name} ${isNaN(Number(each)) ? text(each) : writeNumber(each, 5)}`)
      .join(', ');
  if (kind === 'name') return quotedName(text(value));
  if (kind === 'line') return oneLine(text(value));
  if (kind === 'rule') return riskRules[text(value)] ?? text(value);
  if (kind === 'title') return strategyTitle(text(value));
  if (kind === 'amount') return text(value);
  if (kind === 'price') return writePrice(text(value));
  if (kind === 'count') return writeNumber(text(value), 5);
  if (kind === 'pc') return writePercent(Math.abs(Number(value)));
  if (kind === '%') return `${Number(value) > 0 ? '+' : ''}${writePercent(text(value))}`;
  if (kind === 'seconds') return writeMoment((value as number) * 1_000);
  if (kind === 'time') return writeMoment(value as number);
  if (typeof value === 'number') return writeNumber(value);
  const said = text(value);
  if (day.test(said)) return writeMoment(said);
  return oneLine(said.replace(/(?<=[a-z])_(?=[a-z])/g, ' ').replace(/(?<=^[a-z]+)(?=[A-Z][a-z])/g, ' '));
}

const listWords = (values: unknown[]): string => {
  if (values.length === 0) throw new MissingValue('list');
  return values.map((each) => oneLine(text(each))).join('; ');
};

const text = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
