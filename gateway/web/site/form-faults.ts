import type Joi from 'joi';
import type { AppError } from '../../../compute/model/errors.js';
import { fieldId, type FormField } from './form-field.js';
import { html, type Html } from '../html.js';

/** What is wrong with a form: sentences by the name of their field, and one about the whole form. */
export interface FormFaults {
  fields: ReadonlyMap<string, string>;
  whole: string | null;
}

interface FaultSource {
  fields: readonly FormField[];
  operation: { input: Joi.ObjectSchema };
}

/**
 * The faults of a refused form, by the error that the operation threw for it. For an input that is not valid all its faults are named,
 * though the error names the first alone. `input` is what the operation was given.
 */
export function faultsOf(form: FaultSource, input: object, error: AppError): FormFaults {
  const { field } = error.details;
  const isKnown = form.fields.some(({ name }) => name === field);
  const all = error.code === 'invalid_input' ? invalidFields(form, input) : new Map<string, string>();
  if (all.size > 0) return { fields: all, whole: null };
  if (!isKnown) return { fields: new Map(), whole: sentence(error.message) };
  return { fields: new Map([[String(field), sentence(error.message)]]), whole: null };
}

/** What the schema refuses in the fields of the form. */
function invalidFields({ fields, operation }: FaultSource, input: object): Map<string, string> {
  const { error } = operation.input.validate(input, { convert: true, abortEarly: false });
  const found = new Map<string, string>();
  for (const { path, message, type, context } of error?.details ?? []) {
    const place = path.filter((step) => typeof step === 'string').join('.');
    const field = fields.find(({ name }) => name === place) ?? fields.find(({ name }) => name === path[0]);
    if (field === undefined || found.has(field.name)) continue;
    const isEmpty = type === 'any.required' || type === 'string.empty' || context?.value === '';
    found.set(field.name, faultOf(field, isEmpty, message));
  }
  return found;
}

function faultOf({ name, label, fault }: FormField, isEmpty: boolean, message: string): string {
  if (isEmpty) return `${label} is missing.`;
  return fault ?? sentence(message.replaceAll(`"${name}"`, label));
}

/** Error messages begin in lower case and have no full stop. */
const sentence = (message: string): string =>
  `${message.charAt(0).toUpperCase()}${message.slice(1)}${/[.!?]$/.test(message) ? '' : '.'}`;

/** A box above a form that names its faults, with a link to each field; it takes the focus, so that it is read first. */
export function faultSummary(form: string, { fields, whole }: FormFaults, heading: string): Html {
  if (fields.size === 0 && whole === null) return html``;
  const links = [...fields].map(
    ([name, text]) => html`<li><a href="#${fieldId(form, name)}">${text}</a></li>`,
  );
  const list =
    links.length === 0
      ? ''
      : html`<ul>
          ${links}
        </ul>`;
  return html`<div class="summary" role="alert" tabindex="-1" autofocus aria-labelledby="${form}-faults">
    <h2 id="${form}-faults">${heading}</h2>
    ${whole === null ? '' : html`<p>${whole}</p>`} ${list}
  </div>`;
}
