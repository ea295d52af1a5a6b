import { logout } from '../../../operations/account/login.js';
import { html } from '../../html.js';
import { formMarkup } from '../form-markup.js';
import { ownPath } from '../own-path.js';
import { definePage, definePageForm } from '../page.js';

/** `next` leads on to a page that then asks for another account. */
const signOutForm = definePageForm({
  name: 'sign-out',
  operation: logout,
  fields: [],
  done: (_output, { query }) => {
    const next = ownPath(query.next);
    return next === null
      ? { to: '/sign-in', notice: 'signed-out', session: null }
      : { to: next, session: null };
  },
});

/** Ends the session of this browser. The button in the header of all pages sends this form. */
export const signOutPage = definePage({
  path: '/sign-out',
  scope: 'user',
  // The session has ended already.
  pathOfGuests: ({ next }) => ownPath(next) ?? '/sign-in',
  forms: [signOutForm],
  render: (request) => ({
    title: 'Sign out',
    body: html`<h1>Sign out</h1>
      <p>This ends your session in this browser. Your other sessions, tokens and apps are not changed.</p>
      ${formMarkup(signOutForm, request, { submit: 'Sign out' })}`,
  }),
});
