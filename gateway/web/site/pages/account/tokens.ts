import {
  createToken,
  revokeToken,
  listTokens,
  type CreateTokenOutput,
  type ShownToken,
} from '../../../../operations/tokens/tokens.js';
import { mostTokens } from '../../../../../storage/users/personal-tokens.js';
import { html } from '../../../html.js';
import { dataTable } from '../../data-table.js';
import { checkedChoices, type FormField } from '../../form-field.js';
import { confirmForm, formMarkup } from '../../form-markup.js';
import { definePageForm, type PageRequest, type PageView } from '../../page.js';
import { shownTime } from '../../shown-time.js';
import { accountButton, accountPage, accountView } from './account-view.js';
import { scopeWords } from '../../../../auth/oauth/scope-words.js';

const scopesField: FormField = {
  name: 'scopes',
  label: 'What it may do',
  kind: 'checkboxes',
  choices: Object.entries(scopeWords),
  // What changes something is chosen by hand.
  value: Object.keys(scopeWords)
    .filter((scope) => !scope.startsWith('write:'))
    .join(' '),
  fault: 'Choose at least one thing that the token may do.',
};

const createForm = definePageForm({
  name: 'create-token',
  operation: createToken,
  fields: [
    {
      name: 'name',
      label: 'Name',
      kind: 'text',
      hint: 'To tell it by, such as the device or program that uses it.',
      fault: 'Enter a name of at most 60 characters.',
    },
    scopesField,
    {
      name: 'expiresInDays',
      label: 'Expires',
      kind: 'select',
      value: '90',
      choices: [
        ['7', 'in 7 days'],
        ['30', 'in 30 days'],
        ['90', 'in 90 days'],
        ['365', 'in a year'],
      ],
    },
  ],
  input: ({ name, expiresInDays, ...values }) => ({
    name,
    expiresInDays,
    scopes: checkedChoices(scopesField, values),
  }),
  done: (made, request) => ({ view: madeView(made, request) }),
});

const revokeForm = accountButton('revoke-token', revokeToken, '/account/tokens', 'token-revoked');

/** The page that shows the secret, which no other page does. */
const madeView = ({ name, token, expires }: CreateTokenOutput, request: PageRequest): PageView =>
  accountView(
    request,
    'Your new token',
    html`<div class="notice" role="status">
        <p>Copy the token <strong>${name}</strong> now: it is not shown again.</p>
        <code class="secret" data-copy>${token}</code>
      </div>
      <p>
        Clients send it to <code>/mcp</code> as <code>Authorization: Bearer &lt;token&gt;</code>. It works
        until ${shownTime(expires)}, or until you revoke it. Who has it can do what it allows in your name.
      </p>
      <p><a href="/account/tokens">Back to your tokens</a></p>`,
  );

const row = (request: PageRequest, { id, name, scopes, created, lastUsed, expires }: ShownToken) => [
  name,
  scopes.map((scope) => scopeWords[scope]).join('; '),
  shownTime(created),
  shownTime(lastUsed),
  shownTime(expires),
  confirmForm(revokeForm, request, {
    open: 'Revoke',
    label: `Revoke ${name}`,
    ask: `Clients that use “${name}” lose access at once.`,
    submit: 'Revoke it',
    hidden: { id },
  }),
];

/** Personal access tokens: list, make, revoke. */
export const tokensPage = accountPage({
  path: '/account/tokens',
  title: 'Access tokens',
  forms: [createForm, revokeForm],
  async body(request) {
    const { tokens } = await request.run(listTokens);
    return html`<p>
        For clients that cannot open a browser: command lines, scripts and servers. An account has at most
        ${mostTokens}.
      </p>
      ${dataTable({
        caption: 'Your tokens, newest first; their secrets are not shown again.',
        titles: ['Name', 'May', 'Made', 'Last used', 'Expires', 'Revoke'],
        rows: tokens.map((token) => row(request, token)),
        empty: 'You have no tokens.',
        hasActions: true,
      })}
      <h2>Make a token</h2>
      ${formMarkup(createForm, request, { submit: 'Make the token', heading: 'No token was made' })}`;
  },
});
