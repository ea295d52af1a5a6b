import type { AnyField, Fields } from '../../../compute/model/field.js';

/** Makes a value as it is inside the service into what clients see. */
export type Presenter = (value: unknown) => unknown;

const asItIs: Presenter = (value) => value;

/** Times become ISO 8601. Everything else stays; parts without times are not walked through. */
export function presenterOf(field: AnyField): Presenter {
  const present = presenters(field);
  return present === asItIs ? asItIs : (value) => (value === null ? null : present(value));
}

function presenters(field: AnyField): Presenter {
  if (field.kind === 'time') return (value) => new Date(value as number).toISOString();
  if (field.kind === 'list') return listPresenter(presenterOf(field.item));
  if (field.kind === 'object') return objectPresenter(field.fields);
  return asItIs;
}

const listPresenter = (item: Presenter): Presenter =>
  item === asItIs ? asItIs : (value) => (value as unknown[]).map(item);

function objectPresenter(fields: Fields): Presenter {
  const presented = Object.entries(fields).map(([name, each]) => [name, presenterOf(each)] as const);
  const changed = new Map(presented.filter(([, present]) => present !== asItIs));
  if (changed.size === 0) return asItIs;
  const present = ([name, value]: [string, unknown]) => [name, (changed.get(name) ?? asItIs)(value)] as const;
  return (value) => Object.fromEntries(Object.entries(value as object).map(present));
}
