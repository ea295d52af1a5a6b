import { resetPassword } from '../../../operations/account/passwords.js';
import { html } from '../../html.js';
import { formMarkup } from '../form-markup.js';
import { definePage, definePageForm } from '../page.js';
import { linkInput } from '../mail-link.js';
import { newPasswordField } from './credential-fields.js';

const resetForm = definePageForm({
  name: 'reset',
  operation: resetPassword,
  fields: [newPasswordField('newPassword', 'New password')],
  usesLink: true,
  input: ({ newPassword }, request) => ({ ...linkInput(request), newPassword }),
  done: () => ({ to: '/sign-in', notice: 'password-set', session: null }),
});

/** Where the link of a mail leads to choose a new password. */
export const resetPage = definePage({
  path: '/reset',
  link: 'reset',
  forms: [resetForm],
  render: (request) => ({
    title: 'Choose a new password',
    body: html`<h1>Choose a new password</h1>
      ${
        request.linkToken === null && !request.refused
          ? html`<p>This page works with the link of a mail. Open the link that was sent to you.</p>`
          : html`<p>It ends all sessions and access tokens of your account, and disconnects its apps.</p>
              ${formMarkup(resetForm, request, {
                submit: 'Set the password',
                heading: 'The password was not changed',
              })}`
      }
      <p>The link has expired? <a href="/forgot">Ask for another mail</a></p>`,
  }),
});
