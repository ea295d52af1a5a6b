import { askVerification } from '../../../operations/account/ask-verification.js';
import { verifyEmail } from '../../../operations/account/verify-email.js';
import { html, type Html } from '../../html.js';
import { faultSummary } from '../form-faults.js';
import { formMarkup } from '../form-markup.js';
import { linkInput } from '../link-input.js';
import { definePage, definePageForm, type PageRequest } from '../page.js';

const verifyForm = definePageForm({
  name: 'verify',
  operation: verifyEmail,
  fields: [],
  usesLink: true,
  input: (_values, request) => linkInput(request),
  done: () => ({ to: '/verify', notice: 'verified' }),
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
  scope: 'public',
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
        <strong>${user.email}</strong> is confirmed. You can close this page, or <a href="/account">go on</a>.
      </p>`;
  return html`${failed}
    <p>
      A mail was sent to <strong>${user.email}</strong>. Open the link in it: it works once, for 24 hours.
      Until then all accounts of your network that are not confirmed share one limit.
    </p>
    ${another(request)}`;
}

const another = (request: PageRequest): Html =>
  html`<h2>No mail?</h2>
    <p>Look into the folder for spam, or have another one sent.</p>
    ${formMarkup(askForm, request, { submit: 'Send another mail', look: 'plain', heading: 'No mail was sent' })}`;
