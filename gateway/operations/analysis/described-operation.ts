import Joi from 'joi';
import type { Fields, Values } from '../../../compute/model/field.js';
import { keysOf } from '../../../jobs/definitions/shared/field-schema.js';
import { defineOperation, type Operation } from '../../operation.js';

/** A public operation, by default of one point, whose input and output are described by fields. */
export const describedOperation = <const I extends Fields, const O extends Fields>({
  input,
  output,
  ...rest
}: Pick<Operation<Values<I>, Values<O>>, 'id' | 'summary' | 'handle'> &
  Partial<Pick<Operation<Values<I>, Values<O>>, 'cost' | 'errors' | 'hasEtag' | 'isLight' | 'leadsTo'>> & {
    input: I;
    output: O;
  }): Operation<Values<I>, Values<O>> =>
  defineOperation<Values<I>, Values<O>>({
    scope: 'public',
    cost: 1,
    ...rest,
    input: Joi.object<Values<I>>(keysOf(input)),
    output: Joi.object<Values<O>>(keysOf(output, 'answer')),
  });
