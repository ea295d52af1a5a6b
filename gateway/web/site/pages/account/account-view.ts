import type { Operation } from '../../../../operation.js';
import { html, type Html } from '../../../html.js';
import { faultSummary } from '../../form-faults.js';
import type { Notice } from '../../notices.js';
import {
  definePage,
  definePageForm,
  type Page,
  type PageForm,
  type PageRequest,
  type PageView,
} from '../../page.js';

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

/** What stands on a page of the account: links to all of them, and the content. */
export function accountView(request: PageRequest, title: string, body: Html): PageView {
  const links = sections.map(
    ([path, name]) =>
      html`<li><a href="${path}" ${path === request.path ? html`aria-current="page"` : ''}>${name}</a></li>`,
  );
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
        ${body}
      </div>
    </div>`,
  };
}

interface AccountPage {
  path: (typeof sections)[number][0];
  title: string;
  forms: Page['forms'];
  body: (request: PageRequest) => Html | Promise<Html>;
}

/** A page of the account. What is wrong with a form that is one button stands above the content. */
export const accountPage = ({ path, title, forms, body }: AccountPage): Page =>
  definePage({
    path,
    scope: 'user',
    forms,
    async render(request) {
      const { refused } = request;
      const button = forms.find(({ name, fields }) => name === refused?.form && fields.length === 0);
      const summary = button ? faultSummary(button.name, refused!.faults, 'That did not work') : '';
      return accountView(request, title, html`${summary} ${await body(request)}`);
    },
  });

/** A form that is one button, as in a row, and comes back to its page; the input is the id of the row. */
export const accountButton = <Input, Output>(
  name: string,
  operation: Operation<Input, Output>,
  to: AccountPage['path'],
  notice: Notice,
  input: PageForm<Input, Output>['input'] = ({ id }) => ({ id }),
) => definePageForm({ name, operation, fields: [], input, done: () => ({ to, notice }) });
