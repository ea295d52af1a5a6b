import type { FormField } from '../form-field.js';

/** The e-mail of an account. */
export const emailField: FormField = {
  name: 'email',
  label: 'E-mail',
  kind: 'email',
  autocomplete: 'username',
  fault: 'Enter an e-mail address, such as name@example.com.',
};

/** A password that is chosen, under the name that the operation gives it. */
export const newPasswordField = (name: string, label: string): FormField => ({
  name,
  label,
  kind: 'password',
  autocomplete: 'new-password',
  hint: 'At least 8 characters. A few words are easy to remember and hard to guess.',
  fault: `${label}: enter at least 8 and at most 1,024 characters.`,
});
