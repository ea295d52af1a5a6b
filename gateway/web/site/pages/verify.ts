import { askVerification, verifyEmail } from '../../../operations/account/sign-up.js';
import { html, type Html } from '../../html.js';
import type { FormField } from '../form-field.js';
import { faultSummary } from '../form-faults.js';
import { formMarkup } from '../form-markup.js';
import { linkInput } from '../mail-link.js';
import { definePage, definePageForm, type PageRequest } from '../page.js';

/** It shows that who reads the mail has made the account; a browser that is signed in shows that, too. */
const passwordField: FormField = {
  name: 'password',
  label: 'Password of the account',
  kind: 'password',
  autocomplete: 'current-password',
  hint: 'Leave it empty if this browser is signed in to the account; or if you have not made the account: then its password and all that was set up for it end.',
};

const verifyForm = definePageForm({
  name: 'verify',
  operation: verifyEmail,
  fields: [passwordField],
  usesLink: true,
  input: ({ password = '' }, request) => ({
    ...linkInput(request),
    ...(password === '' ? {} : { password }),
  }),
  done: ({ keepsPassword, token }) => ({
    ...(keepsPassword
      ? ({ to: '/verify', notice: 'verified' } as const)
      : ({ to: '/forgot', notice: 'verified-anew' } as const)),
    ...(token === null ? {} : { session: token }),
  }),
});

const askForm = definePageForm({
  name: 'ask',
  operation: askVerification,
  fields: [],
  done: ({ isVerified }) => ({ to: '/verify', notice: isVerified ? 'verified' : 'mail-sent' }),
});

/**
 * Where the link of a mail leads to confirm an e-mail. Opening it changes nothing, because programs that look for harmful
 * mails open links, too: the button confirms.
 */
export const verifyPage = definePage({
  path: '/verify',
  link: 'verify',
  forms: [verifyForm, askForm],
  render: (request) => ({
    title: 'Confirm your e-mail',
    body: html`<h1>Confirm your e-mail</h1>
      ${request.linkToken === null ? withoutLink(request) : withLink(request)}`,
  }),
});

const withLink = (request: PageRequest): Html =>
  html`<p>Press the button to confirm that the address to which the mail was sent is yours.</p>
    ${formMarkup(verifyForm, request, { submit: 'Confirm my e-mail', heading: 'It was not confirmed' })}
    ${request.user && !request.user.isVerified ? another(request) : ''}`;

function withoutLink(request: PageRequest): Html {
  const { user, refused } = request;
  const failed =
    refused?.form === 'verify' ? faultSummary('verify', refused.faults, 'It was not confirmed') : '';
  if (!user)
    return html`${failed}
      <p>Open the link in the mail that was sent to you. It works once, for 24 hours.</p>
      <p>For another mail, <a href="/sign-in?next=/verify">sign in</a>.</p>`;
  if (user.isVerified)
    return html`${failed}
      <p>
        <strong>${user.email}</strong> is confirmed. You can close this page, or <a href="/app">go on</a>.
      </p>`;
  return html`${failed}
    <p>
      A mail was sent to <strong>${user.email}</strong>. Open the link in it: it works once, for 24 hours.
      Until then you can connect no exchange, follow no signals and connect no apps, and all accounts of your
      network that are not confirmed share one limit.
    </p>
    ${another(request)}`;
}

const another = (request: PageRequest): Html =>
  html`<h2>No mail?</h2>
    <p>Look into the folder for spam, or have another one sent.</p>
    ${formMarkup(askForm, request, { submit: 'Send another mail', look: 'plain', heading: 'No mail was sent' })}`;
