import type { AnyField, Fields } from '../../../compute/model/field.js';

/** A nullable value of an answer, and where the answer says why it is null. */
export interface Nullable {
  /** As `horizons[].losses[].historical`. */
  path: string;
  /** The sentence of its field. */
  text: string;
  /** The field that says why, as `historicalReason`, or `notes`, which name what is null; null where none does. */
  reason: string | null;
}

/** Objects from the answer inwards. */
type Owners = readonly { fields: Fields; value: unknown }[];

type Visit = (nullable: Nullable, value: unknown, owners: Owners) => void;

const isReason = (name: string, { kind, isNullable }: AnyField): boolean =>
  kind === 'text' && isNullable === true && /(^r|R)eason$/.test(name);

/** The field of an object that says why the one of this name is null; null without one. */
function reasonIn(fields: Fields, name: string): string | null {
  const reasons = Object.keys(fields).filter((each) => isReason(each, fields[each]));
  const own = reasons.find((each) => {
    const about = each.slice(0, -'Reason'.length).toLowerCase();
    return about !== '' && name.toLowerCase().includes(about);
  });
  return own ?? (reasons.includes('reason') ? 'reason' : null);
}

/** The nearest object that explains a field, and how; null where none does. */
function explained(owners: Owners, name: string): { owner: Owners[number]; reason: string } | null {
  for (const owner of owners.toReversed()) {
    const reason = owner === owners.at(-1) ? reasonIn(owner.fields, name) : upperReason(owner.fields);
    if (reason !== null) return { owner, reason };
  }
  const noted = owners.findLast(({ fields }) => fields.notes?.kind === 'list');
  return noted ? { owner: noted, reason: 'notes' } : null;
}

const upperReason = (fields: Fields): string | null =>
  fields.reason && isReason('reason', fields.reason) ? 'reason' : null;

/** Visits the nullable fields of an answer; with a value, those of the objects that it holds. */
function visit(described: AnyField, path: string, owners: Owners, value: unknown, tell: Visit): void {
  const name = path
    .split('.')
    .at(-1)!
    .replaceAll(/\[\]|\{\}/g, '');
  if (described.isNullable && !isReason(name, described)) {
    const reason = explained(owners, name)?.reason ?? null;
    tell({ path, text: described.text, reason }, value, owners);
  }
  if (value === null) return;
  if (described.kind === 'object') {
    const inside = [...owners, { fields: described.fields, value }];
    for (const [key, each] of Object.entries(described.fields))
      visit(each, path === '' ? key : `${path}.${key}`, inside, propertyOf(value, key), tell);
  }
  if (described.kind === 'list')
    for (const each of itemsOf(value)) visit(described.item, `${path}[]`, owners, each, tell);
  if (described.kind === 'record')
    for (const each of itemsOf(value)) visit(described.value, `${path}{}`, owners, each, tell);
}

const propertyOf = (value: unknown, key: string): unknown =>
  value === undefined ? undefined : (value as Record<string, unknown>)[key];

/** Without a value, one unknown item stands for all. */
const itemsOf = (value: unknown): unknown[] =>
  value === undefined ? [undefined] : Object.values(value as Record<string, unknown>);

/** All nullable fields of an answer. */
export function nullablesOf(described: AnyField): Nullable[] {
  const found: Nullable[] = [];
  visit(described, '', [], undefined, (each) => found.push(each));
  return found;
}

/**
 * The nulls of an answer without the reason that its fields promise, and reasons beside nothing that is null; sentences. Paths that
 * explain themselves are passed over.
 */
export function unexplainedNulls(
  described: AnyField,
  answer: unknown,
  selfEvident: ReadonlySet<string> = new Set(),
): string[] {
  const faults: string[] = [];
  const explaining = new Set<unknown>();
  visit(described, '', [], answer, ({ path }, value, owners) => {
    if (value !== null || selfEvident.has(path)) return;
    const name = path
      .split('.')
      .at(-1)!
      .replaceAll(/\[\]|\{\}/g, '');
    const found = explained(owners, name);
    if (!found) return;
    const said = propertyOf(found.owner.value, found.reason);
    explaining.add(found.owner.value);
    if (found.reason === 'notes') {
      if (!(said as string[]).some((note) => note.includes(name))) faults.push(`no note names "${path}"`);
    } else if (typeof said !== 'string' || said === '')
      faults.push(`"${path}" is null, and ${found.reason} is ${String(said)}`);
  });
  visitObjects(described, '', answer, (fields, value, path) => {
    for (const [name, each] of Object.entries(fields))
      if (isReason(name, each) && propertyOf(value, name) !== null && !explaining.has(value))
        faults.push(`"${path}.${name}" is "${String(propertyOf(value, name))}", and nothing is null`);
  });
  return faults;
}

function visitObjects(
  described: AnyField,
  path: string,
  value: unknown,
  tell: (fields: Fields, value: unknown, path: string) => void,
): void {
  if (value === null) return;
  if (described.kind === 'object') {
    tell(described.fields, value, path);
    for (const [key, each] of Object.entries(described.fields))
      visitObjects(each, path === '' ? key : `${path}.${key}`, propertyOf(value, key), tell);
  }
  if (described.kind === 'list')
    for (const each of itemsOf(value)) visitObjects(described.item, `${path}[]`, each, tell);
  if (described.kind === 'record')
    for (const each of itemsOf(value)) visitObjects(described.value, `${path}{}`, each, tell);
}
