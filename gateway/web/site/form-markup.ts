import { html, type Html } from '../html.js';
import { csrfField } from './csrf-token.js';
import { faultSummary } from './form-faults.js';
import { fieldMarkup, sentValue, type FormField } from './form-field.js';
import type { PageRequest } from './page.js';

/** The name of the field that says which form of a page is sent. */
export const formField = 'form';

interface ShownForm {
  name: string;
  fields: readonly FormField[];
}

export interface FormMarkupOptions {
  /** The words on the button. */
  submit: string;
  /** The look of the button; by default that of the main action. */
  look?: 'primary' | 'plain' | 'danger';
  /** What is wrong, as the heading of the summary of faults. */
  heading?: string;
  /** Fields that the user does not see. */
  hidden?: Readonly<Record<string, string>>;
  /** The page that takes the form; by default this one. */
  action?: string;
}

const hiddenField = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}" />`;

/** A form with its fields; after a refusal with what was entered, and with what is wrong above it. */
export function formMarkup(form: ShownForm, request: PageRequest, options: FormMarkupOptions): Html {
  const { submit, look = 'primary', heading = 'That did not work' } = options;
  const refused = request.refused?.form === form.name ? request.refused : null;
  const fields = form.fields.map((field) => {
    const fault = refused?.faults.fields.get(field.name) ?? null;
    const value = refused ? sentValue(field, refused.values) : undefined;
    return fieldMarkup(form.name, field, { value, fault });
  });
  const summary = refused ? faultSummary(form.name, refused.faults, heading) : '';
  return html`${summary}
    <form method="post" action="${options.action ?? currentTarget(request)}" novalidate>
      ${hiddenFields(form, request, options.hidden)} ${fields}
      <p class="actions"><button class="${look}">${submit}</button></p>
    </form>`;
}

/** A form that is one button, as in a row of a table. `label` says to screen readers what the button acts on. */
export const buttonForm = (
  form: Pick<ShownForm, 'name'>,
  request: PageRequest,
  { submit, look = 'plain', hidden, action, label }: FormMarkupOptions & { label?: string },
): Html =>
  html`<form method="post" action="${action ?? currentTarget(request)}" class="inline">
    ${hiddenFields(form, request, hidden)}
    <button class="${look}" ${label === undefined ? '' : html`aria-label="${label}"`}>${submit}</button>
  </form>`;

/** A form of one button that asks once, also without a script: the first click opens the question. `label` is of that click. */
export const confirmForm = (
  form: Pick<ShownForm, 'name'>,
  request: PageRequest,
  { label, open, ask, ...options }: FormMarkupOptions & { label?: string; ask: string; open: string },
): Html =>
  html`<details class="confirm">
    <summary ${label === undefined ? '' : html`aria-label="${label}"`}>${open}</summary>
    <p>${ask}</p>
    ${buttonForm(form, request, { look: 'danger', ...options })}
  </details>`;

function hiddenFields(
  { name }: Pick<ShownForm, 'name'>,
  { csrf }: PageRequest,
  more: Readonly<Record<string, string>> = {},
): Html {
  const all = { [csrfField]: csrf, [formField]: name, ...more };
  return html`${Object.entries(all).map(([key, value]) => hiddenField(key, value))}`;
}

/** Where a form is sent: this page, with what its URL says about where to go on. */
const currentTarget = ({ path, query: { next } }: PageRequest): string =>
  next === undefined ? path : `${path}?next=${encodeURIComponent(next)}`;
