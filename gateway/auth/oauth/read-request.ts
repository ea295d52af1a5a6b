import type Joi from 'joi';
import { oauthError, type OauthErrorCode } from './oauth-error.js';

/**
 * The fields of a request, by the schema that also describes them in the OpenAPI document. Unknown ones are ignored
 * (RFC 6749, 3.2). Throws `invalid_request`, or the code that `codeOf` gives for the field, for the first fault.
 */
export function readRequest<Fields>(
  schema: Joi.ObjectSchema<Fields>,
  given: object,
  codeOf: (field: string) => OauthErrorCode = () => 'invalid_request',
): Fields {
  const checked = schema.validate(given, { convert: false, stripUnknown: true });
  if (!checked.error) return checked.value;
  const [{ type, path, message }] = checked.error.details;
  const field = String(path[0]);
  throw oauthError(codeOf(field), type === 'any.required' ? `"${path.join('.')}" is missing` : message);
}
