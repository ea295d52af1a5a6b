import Joi from 'joi';
import { field, type Fields, type Values, type AnyField } from '../../../compute/model/field.js';
import { keysOf, objectSchema } from '../../../jobs/definitions/shared/field-schema.js';
import { once } from '../../../storage/process/once.js';
import type { Caller, Deps } from '../../context.js';
import { usual, type DefinedOperation, type Operation, type OperationResult } from '../../operation.js';

/** Makes a value as it is inside the service into what clients see. */
type Presenter = (value: unknown) => unknown;

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

interface Described<I extends Fields, O extends Fields> extends Omit<
  DefinedOperation<unknown, unknown>,
  'input' | 'output' | 'handle'
> {
  input?: I;
  output: O;
  /** Times of the payload are in ms since 1970; answers hold them as ISO 8601. */
  handle: (input: Values<I>, deps: Deps, caller: Caller) => Promise<OperationResult<Values<O>>>;
}

/** An operation whose input and output are described by fields. */
export function describedOperation<
  const I extends Fields = Record<never, never>,
  const O extends Fields = Fields,
>({ input, output, handle, ...facts }: Described<I, O>): Operation<Values<I>, Values<O>> {
  const present = presenterOf(field.object('the answer', output));
  const inputOf = once(() => objectSchema((input ?? {}) as I));
  const outputOf = once(() => Joi.object<Values<O>>(keysOf(output, 'answer')));
  return {
    ...usual,
    ...facts,
    get input() {
      return inputOf();
    },
    get output() {
      return outputOf();
    },
    async handle(given, deps, caller) {
      const { payload, ...rest } = await handle(given, deps, caller);
      return { ...rest, payload: present(payload) as Values<O> };
    },
  };
}
