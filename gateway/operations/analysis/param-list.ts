import { field } from '../../../compute/model/field.js';
import type { ParamSpec } from '../../../compute/model/indicator.js';

/** The parameters of a strategy or an indicator, as lists show them. */
export const paramListField = field.list(
  'its parameters',
  field.object('a parameter', {
    name: field.text('name of the parameter'),
    title: field.text('what it means'),
    min: field.number('smallest value'),
    max: field.number('largest value'),
    default: field.number('value where none is given'),
    step: field.number('step between values; 1: whole numbers'),
  }),
);

export const paramList = (specs: Readonly<Record<string, ParamSpec>>) =>
  Object.entries(specs).map(([name, { title, min, max, default: defaultValue, step = 1 }]) => ({
    name,
    title,
    min,
    max,
    default: defaultValue,
    step,
  }));

/** Those of a list with the name, or all of them where none is given. */
export const named = <T extends { name: string }>(all: readonly T[], name: string | null): readonly T[] =>
  name === null ? all : all.filter((each) => each.name === name);
