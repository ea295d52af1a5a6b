import type { ParameterizedContext } from 'koa';

/**
 * The Content-Security-Policy of a page: scripts and styles are files of this service, and nothing can frame the page. Its forms go
 * to this service; `formTargets` are sources to which the answer of a form may redirect as well, since browsers apply `form-action`
 * to redirects, too.
 */
const pagePolicy = (formTargets: readonly string[] = []): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "base-uri 'none'",
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "frame-ancestors 'none'",
  ].join('; ');

/** Sends a page that no cache keeps, also not that of the back button. */
export function sendPage(
  ctx: ParameterizedContext,
  status: number,
  text: string,
  formTargets?: readonly string[],
): void {
  ctx.status = status;
  ctx.set('Content-Security-Policy', pagePolicy(formTargets));
  ctx.set('Cache-Control', 'no-store');
  ctx.vary('Cookie');
  ctx.type = 'text/html';
  ctx.body = text;
}

/** Sends the browser to another page, which it asks for by GET. The answer has no body, so that the target is in its header alone. */
export function seeOther(ctx: ParameterizedContext, target: string): void {
  ctx.status = 303;
  ctx.set('Location', target);
  ctx.set('Cache-Control', 'no-store');
  ctx.body = '';
}
