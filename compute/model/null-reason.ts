import { field, type Field } from './field.js';

/** Stands beside figures that may be null and says why they are. */
export const nullReason = field.nullable(field.text('why figures are null; null where none is'));

/** The same for one field, under the name of that field with `Reason` behind it. */
export const nullReasonOf = (name: string): Field<string | null> =>
  field.nullable(field.text(`why ${name} is null; null where it is not`));

/** The reasons that hold, in one text; null without any. */
export function reasonsOf(...reasons: readonly (string | null | false)[]): string | null {
  const held = reasons.filter((reason) => typeof reason === 'string');
  return held.length === 0 ? null : held.join('; ');
}
