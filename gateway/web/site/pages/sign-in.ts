import { login } from '../../../operations/account/login.js';
import { html } from '../../html.js';
import { formMarkup } from '../form-markup.js';
import { ownPath, withNext } from '../own-path.js';
import { definePage, definePageForm, type PageRequest } from '../page.js';
import { credentialFields } from './credential-fields.js';

/** Where one goes on after signing in. */
const nextOf = ({ query }: PageRequest): string => ownPath(query.next) ?? '/app';

const signInForm = definePageForm({
  name: 'sign-in',
  operation: login,
  fields: credentialFields,
  done: ({ token }, request) => ({ to: nextOf(request), session: token }),
});

/** Opens a session for this browser. */
export const signInPage = definePage({
  path: '/sign-in',
  forms: [signInForm],
  render: (request) => ({
    title: 'Sign in',
    body: html`<h1>Sign in</h1>
      ${
        request.user && !request.refused
          ? html`<p>
              You are signed in as <strong>${request.user.email}</strong>.
              <a href="${nextOf(request)}">Go on</a>, or sign in with another account.
            </p>`
          : ''
      }
      ${formMarkup(signInForm, request, { submit: 'Sign in', heading: 'You are not signed in' })}
      <p><a href="/forgot">Forgot your password?</a></p>
      ${request.signUp ? html`<p>New here? <a href="${withNext('/sign-up', request)}">Make an account</a></p>` : ''}`,
  }),
});
