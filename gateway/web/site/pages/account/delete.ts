import { deleteAccount } from '../../../../operations/account/delete-account.js';
import { html } from '../../../html.js';
import { formMarkup } from '../../form-markup.js';
import { definePageForm } from '../../page.js';
import { accountPage } from './account-view.js';

const deleteForm = definePageForm({
  name: 'delete-account',
  operation: deleteAccount,
  fields: [
    {
      name: 'confirm',
      label: 'E-mail of this account',
      kind: 'email',
      autocomplete: 'off',
      hint: 'Enter it to confirm.',
      fault: 'Enter the e-mail of this account.',
    },
    {
      name: 'password',
      label: 'Password',
      kind: 'password',
      autocomplete: 'current-password',
      hint: 'An account without a password needs a sign-in within the last 10 minutes instead.',
    },
  ],
  input: ({ confirm, password }) => ({ confirm, password: password === '' ? undefined : password }),
  done: () => ({ to: '/sign-in', notice: 'account-deleted', session: null }),
});

/** Deletes the account, after its e-mail and password have been entered. */
export const deletePage = accountPage({
  path: '/account/delete',
  title: 'Delete account',
  forms: [deleteForm],
  body: (request) =>
    html`<p>
        This deletes your account with its sessions, access tokens, connected apps, events, conversations,
        backtests, subscriptions, orders, results, keys of exchanges and the paper account.
        <strong>It cannot be undone.</strong>
      </p>
      <p>
        It is refused while signals are executed on a real exchange: close those positions first, because what
        they have bought would stay there without its stops.
      </p>
      ${formMarkup(deleteForm, request, {
        submit: 'Delete the account',
        look: 'danger',
        heading: 'The account was not deleted',
      })}`,
});
