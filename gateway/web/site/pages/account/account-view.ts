import { html, type Html } from '../../../html.js';
import { faultSummary } from '../../form-faults.js';
import type { PageRequest, PageView } from '../../page.js';

/** The pages of the account, in the order of their links. */
const sections = [
  ['/account', 'Overview'],
  ['/account/tokens', 'Access tokens'],
  ['/account/apps', 'Connected apps'],
  ['/account/sessions', 'Sessions'],
  ['/account/exchanges', 'Exchanges'],
  ['/account/security', 'Security'],
  ['/account/delete', 'Delete account'],
] as const;

interface AccountView {
  title: string;
  body: Html;
  /** Forms of the page that are one button: what is wrong with them stands above the content. */
  buttons?: readonly { name: string }[];
}

/** A page of the account: links to all of them, and the content. */
export function accountView(request: PageRequest, { title, body, buttons = [] }: AccountView): PageView {
  const links = sections.map(
    ([path, name]) =>
      html`<li><a href="${path}" ${path === request.path ? html`aria-current="page"` : ''}>${name}</a></li>`,
  );
  const { refused } = request;
  const isButton = refused !== null && buttons.some(({ name }) => name === refused.form);
  const summary = isButton ? faultSummary(refused.form, refused.faults, 'That did not work') : '';
  return {
    title,
    body: html`<div class="account">
      <nav aria-label="Your account">
        <ul>
          ${links}
        </ul>
      </nav>
      <div>
        <h1>${title}</h1>
        ${summary} ${body}
      </div>
    </div>`,
  };
}
