import { html, type Html } from '../html.js';

/** A field of a form, as people see it. */
export interface FormField {
  /** Of the form field, and of the operation's input unless the form maps them. */
  name: string;
  label: string;
  kind: 'text' | 'email' | 'password' | 'checkbox' | 'checkboxes' | 'select';
  /** A sentence below the label. */
  hint?: string;
  /** What to enter, if what was entered is not valid. Without it the operation's own message is shown. */
  fault?: string;
  /** The purpose of the field, for password managers. */
  autocomplete?: string;
  /** Of a new form. */
  value?: string;
  /** Of a `select` or `checkboxes`: values with their names. The value of `checkboxes` is those that are checked, with spaces. */
  choices?: readonly (readonly [value: string, name: string])[];
}

/** What the field holds, and what is wrong with that; null if nothing is. */
export interface FieldState {
  value: string | undefined;
  fault: string | null;
}

/** The id of a field: names are unique within a form, and forms within a page. */
export const fieldId = (form: string, name: string): string => `${form}-${name.replaceAll(/\W/g, '-')}`;

/** The values of `checkboxes` that were sent as checked; each is a field of its own. */
export const checkedChoices = (
  { name, choices = [] }: FormField,
  sent: Readonly<Record<string, string>>,
): string[] => choices.map(([value]) => value).filter((value) => sent[`${name}:${value}`] === 'on');

/** What was sent for a field. */
export const sentValue = (field: FormField, sent: Readonly<Record<string, string>>): string =>
  field.kind === 'checkboxes' ? checkedChoices(field, sent).join(' ') : (sent[field.name] ?? '');

/** A field with its label, hint and fault, which describe the control to screen readers. */
export function fieldMarkup(form: string, field: FormField, state: FieldState): Html {
  if (field.kind === 'checkboxes') return checkboxes(form, field, state);
  const id = fieldId(form, field.name);
  const [hint, fault] = [hintMarkup(id, field), faultMarkup(id, state.fault)];
  const label = html`<label for="${id}">${field.label}</label>`;
  const control = controlOf(field, state, id);
  const isCheckbox = field.kind === 'checkbox';
  return html`<div class="field${isCheckbox ? ' check' : ''}${state.fault === null ? '' : ' wrong'}">
    ${isCheckbox ? html`${control}${label}${hint}${fault}` : html`${label}${hint}${fault}${control}`}
  </div>`;
}

const hintMarkup = (id: string, { hint }: FormField): Html =>
  hint === undefined ? html`` : html`<p class="hint" id="${id}-hint">${hint}</p>`;

const faultMarkup = (id: string, fault: string | null): Html =>
  fault === null ? html`` : html`<p class="fault" id="${id}-fault">${fault}</p>`;

/** Names the hint and the fault, so that a screen reader reads them with the control. */
function describedBy(id: string, { hint }: FormField, fault: string | null): Html {
  const ids = [...(hint === undefined ? [] : [`${id}-hint`]), ...(fault === null ? [] : [`${id}-fault`])];
  return ids.length === 0 ? html`` : html`aria-describedby="${ids.join(' ')}"`;
}

/** Checkboxes with one legend, hint and fault. */
function checkboxes(form: string, field: FormField, { value = field.value ?? '', fault }: FieldState): Html {
  const id = fieldId(form, field.name);
  const described = describedBy(id, field, fault);
  const checked = new Set(value.split(' '));
  const boxes = (field.choices ?? []).map(([each, label]) => {
    const box: FormField = { name: `${field.name}:${each}`, label, kind: 'checkbox' };
    return fieldMarkup(form, box, { value: checked.has(each) ? 'on' : '', fault: null });
  });
  return html`<fieldset id="${id}" tabindex="-1" ${described} ${fault === null ? '' : html`class="wrong"`}>
    <legend>${field.label}</legend>
    ${hintMarkup(id, field)} ${faultMarkup(id, fault)} ${boxes}
  </fieldset>`;
}

function controlOf(field: FormField, { value = field.value ?? '', fault }: FieldState, id: string): Html {
  const common = html`id="${id}" name="${field.name}"
  ${describedBy(id, field, fault)}${fault === null ? '' : html` aria-invalid="true"`}`;
  if (field.kind === 'select') return selectOf(field, value, common);
  if (field.kind === 'checkbox')
    return html`<input type="checkbox" ${common} value="on" ${value === 'on' ? html`checked` : ''} />`;
  // A password is never sent back to the browser.
  const shown = field.kind === 'password' ? '' : html` value="${value}"`;
  return html`<input type="${field.kind}" ${common} ${shown} ${typing(field)} />`;
}

const selectOf = ({ choices = [] }: FormField, value: string, common: Html): Html =>
  html`<select ${common}>
    ${choices.map(
      ([each, name]) =>
        html`<option value="${each}" ${each === value ? html`selected` : ''}>${name}</option>`,
    )}
  </select>`;

/** How the text of a field is entered: help of the browser. */
function typing({ kind, autocomplete }: FormField): Html {
  const completed = autocomplete ?? (kind === 'text' ? 'off' : undefined);
  return html`${completed === undefined ? '' : html` autocomplete="${completed}"`} spellcheck="false"
  autocapitalize="none"`;
}
