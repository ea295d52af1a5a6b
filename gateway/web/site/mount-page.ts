import type { Middleware, ParameterizedContext } from 'koa';
import { AppError } from '../../../compute/model/errors.js';
import { mapStorageError } from '../../../storage/index.js';
import { retryAfter, statusOf } from '../../answers/envelope.js';
import type { Deps, RequestState } from '../../context.js';
import { readFormBody } from '../../routes/form-body.js';
import { readQuery } from '../../routes/signed-input.js';
import { html } from '../html.js';
import { giveBrowserKey } from './browser-key.js';
import { csrfField, csrfToken, isCsrfToken } from './csrf-token.js';
import { faultsOf } from './form-faults.js';
import { buttonForm, formField } from './form-markup.js';
import { layout } from './error-page.js';
import { readCookie, setCookie } from './cookies.js';
import { linkCookie, linkParameter, plausibleLink } from './mail-link.js';
import { mailFolderOf } from '../../../storage/mail/open-mail-transport.js';
import { noticeParameter, noticeText, withNotice } from './notices.js';
import type { FormDone, Page, PageForm, PageRequest, PageView, RefusedForm } from './page.js';
import { readPageCaller, sessionCookie, type PageCaller } from './page-caller.js';
import { checkSameOrigin } from './same-origin.js';
import { seeOther, sendPage } from './send-page.js';

type Context = ParameterizedContext<RequestState>;

/** Answers GET with the page. Errors become a page, too: see middleware/errors.ts. */
export const showPage =
  (page: Page, deps: Deps): Middleware<RequestState> =>
  async (ctx) => {
    ctx.state.isPage = true;
    const caller = await readPageCaller(ctx, deps);
    if (lacksUser(page, caller)) return seeOther(ctx, pathOfGuests(page, ctx, ctx.url));
    if (movesLink(ctx, page, deps)) return seeOther(ctx, ctx.path);
    const request = requestOf(ctx, deps, page, caller);
    send(ctx, request, await page.render(request), 200);
  };

/**
 * Takes a form of the page by POST: refuses it if another site has sent it, runs its operation, and sends the browser on with 303.
 * What the operation refuses is shown on the page, beside what was entered.
 */
export const takeForm =
  (page: Page, deps: Deps): Middleware<RequestState> =>
  async (ctx) => {
    ctx.state.isPage = true;
    checkSameOrigin(ctx, deps.settings);
    const caller = await readPageCaller(ctx, deps);
    if (lacksUser(page, caller)) return seeOther(ctx, pathOfGuests(page, ctx, ctx.path));
    await caller.payAhead();
    const values = await readFormBody(ctx);
    if (caller.secret === null || !isCsrfToken(values[csrfField], caller.secret)) throw outdated();
    const form = page.forms.find(({ name }) => name === values[formField]);
    if (!form) throw new AppError('invalid_input', 'the form is not one of this page; open the page again');
    const request = requestOf(ctx, deps, page, caller);
    const input = (form.input ?? ownFields(form))(values, request);
    try {
      const output = await caller.run(form.operation, input);
      if (page.link && form.usesLink) setCookie(ctx, linkCookie(page.link), deps.settings, null);
      follow(ctx, deps, request, form.done(output, request, values));
    } catch (caught) {
      const error = mapStorageError(caught);
      if (!(error instanceof AppError) || error.kind === 'bug') throw caught;
      const refused = { form: form.name, values, faults: faultsOf(form, input, error) };
      await showAgain(ctx, page, requestOf(ctx, deps, page, caller, refused), error);
    }
  };

async function showAgain(ctx: Context, page: Page, request: PageRequest, error: AppError): Promise<void> {
  const seconds = retryAfter(error);
  if (seconds !== null) ctx.set('Retry-After', String(seconds));
  send(ctx, request, await page.render(request), statusOf(error));
}

function follow(ctx: Context, { settings }: Deps, request: PageRequest, done: FormDone): void {
  if (done.session !== undefined) setCookie(ctx, sessionCookie, settings, done.session);
  if ('to' in done) seeOther(ctx, withNotice(done.to, done.notice));
  else send(ctx, request, done.view, 200);
}

function requestOf(
  ctx: Context,
  deps: Deps,
  page: Page,
  caller: PageCaller,
  refused: RefusedForm | null = null,
): PageRequest {
  const secret = caller.secret ?? giveBrowserKey(ctx, deps.settings);
  return {
    path: ctx.path,
    query: readQuery(ctx.querystring),
    user: caller.user,
    csrf: csrfToken(secret),
    refused,
    linkToken: page.link === undefined ? null : readCookie(ctx, linkCookie(page.link), deps.settings),
    signUp: deps.settings.SIGN_UP === 'on',
    mailFolder: mailFolderOf(deps.settings),
    run: (operation, input) => caller.run(operation, input),
  };
}

function send(ctx: Context, request: PageRequest, view: PageView, status: number): void {
  const { user, path, query, refused, mailFolder } = request;
  const notice = refused ? null : noticeText(query[noticeParameter], mailFolder);
  const said = notice === null ? '' : html`<p class="notice" role="status">${notice}</p>`;
  const signOut =
    user && buttonForm({ name: 'sign-out' }, request, { submit: 'Sign out', action: '/sign-out' });
  const title = refused ? `Error: ${view.title}` : view.title;
  const body = html`${said}${view.body}`;
  sendPage(ctx, status, layout({ title, body, email: user?.email ?? null, signOut, path }));
}

const lacksUser = ({ scope }: Page, { user }: PageCaller): boolean => scope === 'user' && user === null;

/** Keeps the token of a link from a mail in a cookie; false if there is none in the URL. Without a script it can't be hidden otherwise. */
function movesLink(ctx: Context, { link }: Page, { settings }: Deps): boolean {
  const token = link === undefined ? undefined : readQuery(ctx.querystring)[linkParameter];
  if (link === undefined || token === undefined) return false;
  if (plausibleLink.test(token)) setCookie(ctx, linkCookie(link), settings, token);
  return true;
}

/** Where a guest goes on: by default to sign in, and back to `from`. */
const pathOfGuests = (page: Page, { querystring }: Context, from: string): string =>
  page.pathOfGuests?.(readQuery(querystring)) ?? `/sign-in?next=${encodeURIComponent(from)}`;

/** The fields of a form as input, under their own names. */
const ownFields =
  ({ fields }: PageForm<unknown, unknown>) =>
  (values: Readonly<Record<string, string>>): object =>
    Object.fromEntries(fields.map(({ name }) => [name, values[name]]));

const outdated = () =>
  new AppError('forbidden', 'this form belongs to another sign-in; open the page again and send its form');
