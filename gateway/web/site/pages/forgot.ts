import { askPasswordReset } from '../../../operations/account/passwords.js';
import { html } from '../../html.js';
import { formMarkup } from '../form-markup.js';
import { definePage, definePageForm } from '../page.js';
import { emailField } from './credential-fields.js';

const forgotForm = definePageForm({
  name: 'forgot',
  operation: askPasswordReset,
  fields: [emailField],
  done: () => ({ to: '/forgot', notice: 'reset-asked' }),
});

/** Asks for a mail to choose a new password. It never tells whether an e-mail has an account. */
export const forgotPage = definePage({
  path: '/forgot',
  forms: [forgotForm],
  render: (request) => ({
    title: 'Forgot your password?',
    body: html`<h1>Forgot your password?</h1>
      <p>Enter the e-mail of your account. A mail with a link lets you choose a new password.</p>
      ${formMarkup(forgotForm, request, { submit: 'Send the mail', heading: 'No mail was sent' })}
      <p><a href="/sign-in">Back to sign in</a></p>`,
  }),
});
