import { writtenFigures } from '../../figures/written-figures.js';
import { cutText, fillTemplate, indicatorName, oneLine, quotedName } from '../answer-template.js';
import { writeMoment, writeNumber, writePercent, writePrice } from '../format.js';
import type { AskedExtreme } from './asked-fields.js';
import { isKey, onlyLabels, type MeantRows } from './meant-rows.js';
import { plainName, type OutputField } from './output-fields.js';
import { wordSet } from '../word-list.js';

/** The most rows of a list that are told where the question says no number. */
const mostRows = 12;
const mostOfWhole = 40;
const mostColumns = 6;
/** Fields whose texts a partner or a user wrote. */
const foreign = wordSet('output-fields', 'foreign');

/** What fields are told of. */
export interface Told {
  payload: object;
  /** Every field of the payload. */
  fields: readonly OutputField[];
  rows: MeantRows;
  /** How many rows the question asks for. */
  count: number | undefined;
  /** Whether it asks for whole lists. */
  isWhole: boolean;
  /** The sentences so far. */
  text: string;
}

/** A value of the payload, and what its rows are called. */
interface Place {
  key: string;
  value: unknown;
  /** The object that it is a field of. */
  of: object;
}

/** Sentences with the fields, one for each list and for each figure in none; what a sentence before tells is left out. */
export function tellFields(asked: readonly OutputField[], told: Told): string[] {
  const columns = asked.flatMap((field) => columnsOf(field, told.fields));
  const sentences: string[] = [];
  const add = (fields: readonly OutputField[], tell: (open: readonly OutputField[]) => string[]) => {
    const text = [told.text, ...sentences].join(' ');
    sentences.push(...tell(fields.filter((field) => !saysField(field, { ...told, text }))));
  };
  const single = columns.filter((field) => listOf(field) === '');
  for (const field of single) add([field], (open) => open.flatMap((each) => tellFigure(each, single, told)));
  for (const list of new Set(columns.map(listOf)))
    if (list !== '')
      add(
        columns.filter((field) => listOf(field) === list),
        (open) => tellRows(open, columns, told),
      );
  return sentences;
}

const listOf = ({ path }: OutputField): string => path.slice(0, path.lastIndexOf('*') + 1).join('.');

/** The figures of an object, or of the rows of a list, that has no sentence of its own. */
function columnsOf(field: OutputField, fields: readonly OutputField[]): OutputField[] {
  const isPlain = field.says === undefined && (field.kind === 'object' || field.kind === 'list');
  if (!isPlain) return [field];
  const path = [...field.path, ...(field.kind === 'list' ? ['*'] : [])].join('.');
  const inner = fields.filter((each) => each.path.slice(0, -1).join('.') === path && each.says === undefined);
  const columns = inner.filter(
    ({ kind, path: own }) => (kind === 'figure' || kind === 'range') && !isKey(own.at(-1)!, ''),
  );
  return inner.length === 0 ? [field] : columns.slice(0, mostColumns);
}

/** All values at a path, of all rows. */
export const valuesAt = (payload: object, path: readonly string[]): unknown[] =>
  path.reduce<unknown[]>(
    (found, name) =>
      found.flatMap((each): unknown[] =>
        typeof each !== 'object' || each === null
          ? []
          : name === '*'
            ? Object.values(each as Record<string, unknown>)
            : [Reflect.get(each, name)],
      ),
    [payload],
  );

/** "Highest high: 31.52 USDT on 27 November 2026": of rows that moments tell apart. */
export function tellExtreme({ field, isMost }: AskedExtreme, told: Omit<Told, 'text'>): string[] {
  const name = field.path.at(-1)!;
  const rows = valuesAt(told.payload, field.path.slice(0, -1)) as object[];
  const measured = rows.filter((row) => typeof Reflect.get(row, name) === 'number');
  const of = (row: object) => Number(Reflect.get(row, name)) * (isMost ? 1 : -1);
  if (measured.length === 0) return [];
  const row = measured.reduce((best, each) => (of(each) > of(best) ? each : best));
  const value = figure(Reflect.get(row, name), field, { ...told, text: '' });
  return [
    `${isMost ? 'highest' : 'lowest'} ${field.label}: ${value} on ${writeMoment(momentOf(row)!)}, of ${measured.length}`,
  ];
}

/** Whether the rows are those of a series: told apart by their moments alone. */
export const isSeries = (rows: readonly unknown[]): boolean =>
  rows.length > 0 && momentOf(rows[0]) !== undefined;

/** The values at a path, of the rows that are meant. */
function placesAt(
  value: unknown,
  path: readonly string[],
  told: Pick<Told, 'rows' | 'isWhole' | 'count'>,
  key = '',
  of: object = {},
): Place[] {
  const [name, ...rest] = path;
  if (name === undefined) return [{ key, value, of }];
  if (value === null) return [{ key, value, of }];
  if (typeof value !== 'object') return [];
  if (name !== '*') return placesAt(Reflect.get(value, name), rest, told, key, value);
  const items: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  // The only row of a row has its name.
  const names = !Array.isArray(value)
    ? Object.keys(value)
    : key !== '' && items.length === 1
      ? ['']
      : keysOf(items);
  const meant = new Set(told.isWhole ? items : newest(told.rows.of(items).rows, told.count));
  return items.flatMap((item, n) =>
    meant.has(item)
      ? placesAt(item, rest, told, [key, names[n]].filter((each) => each !== '').join(' '), of)
      : [],
  );
}

/** Of a long series its last moments. */
function newest(rows: readonly unknown[], count = 1): readonly unknown[] {
  const [first, last] = [rows.at(0), rows.at(-1)].map(momentOf);
  if (rows.length <= mostRows || first === undefined || last === undefined) return rows;
  return last > first ? rows.slice(-count) : rows.slice(0, count);
}

/** The moment of a row that has nothing else to be called by. */
function momentOf(row: unknown): string | undefined {
  if (
    typeof row !== 'object' ||
    row === null ||
    Object.entries(row).some(([name, value]) => isKey(name, value))
  )
    return undefined;
  const moment: unknown = Object.values(row).find(
    (value) => typeof value === 'string' && isMoment.test(value),
  );
  return moment as string | undefined;
}

/** What the rows of a list are called: by the first of their words and numbers that tell them apart, else by their moments. */
function keysOf(rows: readonly unknown[]): string[] {
  const parts = rows.map(keyParts);
  const most = Math.max(...parts.map(({ length }) => length), 0);
  for (let length = 1; length < most; length++) {
    const keys = parts.map((each) => each.slice(0, length).join(' '));
    if (new Set(keys).size === keys.length) return keys;
  }
  return parts.map((each, n) => (most === 0 ? `${n + 1}${['st', 'nd', 'rd'][n] ?? 'th'}` : each.join(' ')));
}

function keyParts(row: unknown): string[] {
  if (typeof row !== 'object' || row === null) return [];
  const { from, to, title, params } = row as Readonly<Record<string, unknown>>;
  const isIndicator = title !== undefined && typeof params === 'object' && !Array.isArray(params);
  if (isIndicator) return [indicatorName(row as Parameters<typeof indicatorName>[0])];
  const ways = [
    ...(isKey('from', from) && typeof from === 'string' ? [from] : []),
    ...(isKey('to', to) && typeof to === 'string' ? [`to ${to}`] : []),
  ];
  const keys = Object.entries(row).filter(
    ([name, value]) => name !== 'from' && name !== 'to' && isKey(name, value),
  );
  const own = keys.filter(([name]) => !onlyLabels.has(name));
  const entries = own.length === 0 && ways.length === 0 ? keys : own;
  const words = entries.flatMap(([name, value]) => (typeof value === 'string' ? [worded(name, value)] : []));
  const numbers = entries.flatMap(([name, value]) =>
    typeof value === 'number' ? [numberKey(name, value)] : [],
  );
  const moment = momentOf(row);
  return [
    ...(ways.length > 0 ? [ways.join(' ')] : []),
    ...words,
    ...numbers,
    ...(moment === undefined ? [] : [writeMoment(moment)]),
  ];
}

const numberKey = (name: string, value: number): string =>
  name === 'confidencePercent'
    ? `${value} %`
    : ['days', 'candles'].includes(name)
      ? `${value} ${name}`
      : String(value);

/** A text of the payload on one line; texts of partners and users are in quotes. */
const worded = (name: string, value: string): string =>
  foreign.has(name) ? quotedName(value) : oneLine(spaced(value));

const spaced = (value: string): string => value.replaceAll('_', ' ');
const isMoment = /^\d{4}-\d\d-\d\dT/;

/** Whether the text says a field already: every value that is meant, small whole numbers beside a word of its name. */
export function saysField(field: OutputField, told: Told): boolean {
  const places = placesAt(told.payload, field.path, told);
  return places.length > 0 && places.every((place) => isWritten(field, place, told));
}

function isWritten(field: OutputField, { value, of }: Place, told: Told): boolean {
  const { text } = told;
  const said = text.toLowerCase();
  const figures = writtenFigures(text);
  if (field.says !== undefined) {
    const own = writtenFigures(saidRows(field, value, told) ?? '');
    return own.length > 0 && own.every((each) => figures.some((figure) => figure.value === each.value));
  }
  if (typeof value === 'boolean')
    return field.label
      .toLowerCase()
      .split(' ')
      .every((word) => said.includes(word));
  if (typeof value === 'string' && isNaN(Number(value)))
    return (
      said.includes(spaced(value).toLowerCase()) ||
      (isMoment.test(value) && text.includes(writeMoment(value)))
    );
  const values = (field.high === undefined ? [value] : [value, Reflect.get(of, field.high)]).map(Number);
  return values.every((each) =>
    figures.some(
      (figure) =>
        Math.abs(figure.value - Math.abs(each)) <= figure.tolerance &&
        (figure.text.replace(/\D/g, '').length > 2 || isNamedNear(field, said, figure.start)),
    ),
  );
}

function isNamedNear({ label }: OutputField, said: string, at: number): boolean {
  const near = said.slice(Math.max(0, at - 80), at + 20);
  return label
    .toLowerCase()
    .split(' ')
    .every((word) => near.includes(word));
}

/** "R² 0.42", "Lead or lag: ...". */
function tellFigure(field: OutputField, among: readonly OutputField[], told: Told): string[] {
  return placesAt(told.payload, field.path, told).flatMap((place) => {
    const value = written(field, place, told);
    return value === null ? [] : [`${labelOf(field, among)}${field.says === undefined ? '' : ':'} ${value}`];
  });
}

/** Its label, with the name of the object around it where another figure has the same label: "historical CVaR". */
function labelOf({ label, path }: OutputField, among: readonly OutputField[]): string {
  const outer = path.slice(0, -1).findLast((name) => name !== '*');
  const isShared = among.some((each) => each.label === label && each.path !== path);
  return isShared && outer !== undefined ? `${plainName(outer)} ${label}` : label;
}

/** "Days in state: 1h 0.8 days; 4h 2 days": a row for each item of the list, with all of its fields that are asked for. */
function tellRows(fields: readonly OutputField[], among: readonly OutputField[], told: Told): string[] {
  const rows = new Map<string, string[]>();
  const isAlone = fields.length === 1;
  for (const field of fields)
    for (const place of placesAt(told.payload, field.path, told)) {
      const value = written(field, place, told);
      if (value === null || (value === 'none' && !isAlone)) continue;
      rows.set(place.key, [
        ...(rows.get(place.key) ?? []),
        isAlone ? value : `${labelOf(field, fields)} ${value}`,
      ]);
    }
  if (rows.size === 0) return [];
  const isOfValues = fields.some(({ kind }) => kind === 'list');
  const most = told.isWhole || isOfValues ? mostOfWhole : (told.count ?? (isAlone ? 2 * mostRows : mostRows));
  const shown = [...rows]
    .slice(0, most)
    .map(([key, values]) => `${key}${isAlone || key === '' ? '' : ':'} ${values.join(', ')}`.trim());
  const more = rows.size > most && told.count === undefined ? cutText(rows.size) : '';
  return [`${isAlone ? `${labelOf(fields[0], among)}: ` : ''}${shown.join('; ')}${more}`];
}

/** A value with its unit; null for what is none. */
function written(field: OutputField, { value, of }: Place, told: Told): string | null {
  if (field.high !== undefined) {
    const [of95, ...ends] = [Reflect.get(of, field.base!.at(-1)!), value, Reflect.get(of, field.high)].map(
      (each) => figure(each, field, told),
    );
    return ends.includes(null) ? missing(field, of) : `${of95} (95 % interval ${ends.join(' to ')})`;
  }
  if (field.says !== undefined) return saidRows(field, value, told);
  if (Array.isArray(value))
    return value
      .slice(-(told.count ?? mostRows))
      .map((each) => figure(each, field, told))
      .join(', ');
  return figure(value, field, told) ?? missing(field, of);
}

function saidRows(
  { says = '', path }: OutputField,
  value: unknown,
  { payload, rows, count, isWhole }: Told,
): string | null {
  const isInner = path.includes('*');
  const items = Array.isArray(value) ? (isWhole ? value : rows.of(value as unknown[]).rows) : [value];
  if (items.length === 0) return 'none';
  const most = count ?? (isWhole ? mostOfWhole : mostRows);
  const texts = items
    .slice(0, most)
    .flatMap((item) => fillTemplate(says, { ...payload, ...(item as object) }, {}) ?? []);
  const more = items.length > most && count === undefined ? cutText(items.length) : '';
  return texts.length === 0 ? null : `${texts.join(isInner ? ', ' : '; ')}${more}`;
}

/** Why a figure is missing, where the payload says it. */
function missing({ path }: OutputField, of: object): string {
  const reasons = [...path.toReversed().map((name) => `${name}Reason`), 'reason'];
  const reason = reasons
    .map((name): unknown => Reflect.get(of, name))
    .find((each) => typeof each === 'string');
  return typeof reason === 'string' ? `none (${reason})` : 'none';
}

function figure(value: unknown, { about, path }: OutputField, { payload }: Told): string | null {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string' && (value === '' || isNaN(Number(value))))
    return isMoment.test(value) ? writeMoment(value) : worded(path.at(-1)!, value);
  if (typeof value !== 'number' && typeof value !== 'string') return null;
  const unit = units.find(([ending]) => about.includes(ending))?.[1] ?? '';
  if (unit === 'quote')
    return `${writePrice(value)} ${(payload as { tradeMarket?: string }).tradeMarket ?? 'USDT'}`;
  return unit === '%' ? writePercent(value) : `${writeNumber(value)}${unit}`;
}

/** What stands behind a figure, by the words for units that end the sentence of its field. */
const units: readonly (readonly [ending: string, unit: string])[] = [
  [', in percent: ', '%'],
  [', in percentage points', ' points'],
  [', in quote currency', 'quote'],
  [', in candles', ' candles'],
  [', in hours', ' hours'],
  [', in days', ' days'],
  [', in multiples of the ATR', ' ATR'],
  [', in multiples of the risk', ' R'],
];
