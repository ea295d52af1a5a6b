import type { AuthorizationTransaction } from '../../../../storage/oauth/transactions.js';
import { html, type Html } from '../../../web/html.js';
import { csrfField } from '../../../web/site/csrf-token.js';
import { faultSummary, type FormFaults } from '../../../web/site/form-faults.js';
import { fieldMarkup } from '../../../web/site/form-field.js';
import { credentialFields } from '../../../web/site/pages/credential-fields.js';
import { unknownAppName } from '../clients/find-client.js';
import { isUrlClientId } from '../clients/client-documents.js';
import { isLoopbackRedirect, redirectHostOf } from '../clients/redirect-uri.js';
import { scopeWords } from '../scope-words.js';

/** The path that the consent form is sent to. */
export const decisionPath = '/authorize/login';

export interface ConsentView {
  asked: AuthorizationTransaction;
  /** Id of the transaction, which only this page holds. */
  transactionId: string;
  csrf: string;
  /** E-mail of the user whom the browser has signed in; null to ask for e-mail and password. */
  email: string | null;
  /** The form with the button "Use another account"; null if no user is signed in. */
  otherAccount: Html | null;
  /** What was entered before, and what was wrong with it. */
  refused: { email: string; faults: FormFaults } | null;
}

const formName = 'consent';

/** The page on which a user signs in and decides what a client may do. */
export function consentPage(view: ConsentView): { title: string; body: Html } {
  const { asked, email } = view;
  const title = `Connect ${asked.clientName}`;
  return {
    title,
    body: html`<h1>Connect <bdi class="name">${asked.clientName}</bdi> to your account?</h1>
      ${view.refused ? faultSummary(formName, view.refused.faults, 'Nothing is connected yet') : ''}
      <section class="panel" aria-labelledby="consent-app">
        <h2 id="consent-app">Who asks</h2>
        <p>${knownBy(asked)}</p>
        <p>You will be sent to <strong>${placeOf(asked.redirectUri)}</strong>.</p>
        <h2 id="consent-scopes">What it may do</h2>
        <ul class="scopes" aria-labelledby="consent-scopes">
          ${asked.scopes.map((scope) => html`<li>${scopeWords[scope]}</li>`)}
        </ul>
        <p class="quiet">
          It cannot trade, withdraw, or change your account. You can disconnect it at any time.
        </p>
      </section>
      ${
        email === null
          ? html`<h2>Sign in to decide</h2>`
          : html`<p>You are signed in as <strong>${email}</strong>.</p>`
      }
      ${decisionForm(view)} ${view.otherAccount ?? ''}`,
  };
}

/** Says how far the client is known. Its name is what it calls itself. */
function knownBy({ clientId, clientName, redirectUri }: AuthorizationTransaction): Html {
  if (isUrlClientId(clientId) && clientName !== unknownAppName)
    return html`The app is published by <strong>${new URL(clientId).host}</strong>, and calls itself
      “<bdi>${clientName}</bdi>”.`;
  if (isLoopbackRedirect(redirectUri)) {
    const named = clientName === unknownAppName ? '' : html` It calls itself “<bdi>${clientName}</bdi>”.`;
    return html`This is an app on this computer, not verified.${named} Go on only if you have just started it
    yourself.`;
  }
  return html`The app calls itself “<bdi>${clientName}</bdi>”. Its name is not verified: go on only if you
  know the address below.`;
}

const placeOf = (redirectUri: string): string =>
  isLoopbackRedirect(redirectUri)
    ? `this computer (${redirectHostOf(redirectUri)})`
    : redirectHostOf(redirectUri);

function decisionForm({ transactionId, csrf, email, refused }: ConsentView): Html {
  const fields = credentialFields.map((field) =>
    fieldMarkup(formName, field, {
      value: field.name === 'email' ? refused?.email : undefined,
      fault: refused?.faults.fields.get(field.name) ?? null,
    }),
  );
  return html`<form method="post" action="${decisionPath}" novalidate>
    <input type="hidden" name="transaction" value="${transactionId}" />
    <input type="hidden" name="${csrfField}" value="${csrf}" />
    ${email === null ? fields : ''}
    <p class="actions">
      <button class="primary" name="decision" value="allow">Allow</button>
      <button name="decision" value="deny">Deny</button>
    </p>
  </form>`;
}
