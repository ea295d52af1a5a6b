import { AppError } from '../../../../compute/model/errors.js';
import { signUp } from '../../../operations/account/sign-up.js';
import { html } from '../../html.js';
import { formMarkup } from '../form-markup.js';
import { withNext } from '../own-path.js';
import { definePage, definePageForm } from '../page.js';
import { emailField, newPasswordField } from './credential-fields.js';

const signUpForm = definePageForm({
  name: 'sign-up',
  operation: signUp,
  fields: [emailField, newPasswordField('password', 'Password')],
  done: (_output, request) => ({ to: withNext('/sign-in', request), notice: 'confirm-asked' }),
});

/** Makes an account, which its user confirms by mail. Where sign-up is switched off there is no such page. */
export const signUpPage = definePage({
  path: '/sign-up',
  forms: [signUpForm],
  render(request) {
    if (!request.signUp) throw new AppError('forbidden', 'signing up is switched off here');
    return {
      title: 'Make an account',
      body: html`<h1>Make an account</h1>
        <p>It is free. A mail asks you to confirm that the address is yours.</p>
        ${formMarkup(signUpForm, request, { submit: 'Make the account', heading: 'No account was made' })}
        <p>You have one? <a href="${withNext('/sign-in', request)}">Sign in</a></p>`,
    };
  },
});
