import type { ParameterizedContext } from 'koa';
import type { RequestState } from '../../../context.js';
import type { Settings } from '../../../../storage/process/settings.js';
import { html } from '../../../web/html.js';
import { giveBrowserKey } from '../../../web/site/browser-key.js';
import { csrfField, csrfToken } from '../../../web/site/csrf-token.js';
import { layout } from '../../../web/site/layout.js';
import type { PageCaller } from '../../../web/site/page-caller.js';
import { sendPage } from '../../../web/site/send-page.js';
import { formTargets } from './client-answer.js';
import { consentPage, type ConsentView } from './consent-page.js';

type ConsentFacts = Pick<ConsentView, 'asked' | 'transactionId' | 'refused'>;

/** Sends the consent page. It also asks for e-mail and password unless the browser is signed in. */
export function sendConsent(
  ctx: ParameterizedContext<RequestState>,
  settings: Settings,
  { user, secret }: PageCaller,
  facts: ConsentFacts,
  status = 200,
): void {
  const csrf = csrfToken(secret ?? giveBrowserKey(ctx, settings));
  const email = facts.refused ? null : (user?.email ?? null);
  const back = `/sign-out?next=${encodeURIComponent(ctx.url)}`;
  const otherAccount =
    email === null
      ? null
      : html`<form method="post" action="${back}">
          <input type="hidden" name="${csrfField}" value="${csrf}" />
          <input type="hidden" name="form" value="sign-out" />
          <p><button>Use another account</button></p>
        </form>`;
  const { title, body } = consentPage({ ...facts, csrf, email, otherAccount });
  const text = layout({
    title: facts.refused ? `Error: ${title}` : title,
    body,
    email: null,
    signOut: null,
    path: '/sign-in',
  });
  sendPage(ctx, status, text, formTargets(facts.asked.redirectUri));
}
