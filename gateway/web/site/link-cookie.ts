import type { ParameterizedContext } from 'koa';
import type { LinkKind } from '../../../storage/mail/mail-kinds.js';
import type { Settings } from '../../../storage/process/settings.js';
import { clearCookie, readCookie, setCookie, type PageCookie } from './cookies.js';

/** The parameter of the link in a mail. */
export const linkParameter = 'token';

/** What a token of a link may look like; whether it is one is decided where it is used. */
const plausible = /^[\w-]{1,100}$/;

/** Holds the token of a link from a mail, so that it stays neither in the address bar nor in the history. */
const cookieOf = (kind: LinkKind): PageCookie => ({ name: `${kind}-link`, maxAgeSeconds: 3_600 });

type CookieSettings = Pick<Settings, 'PUBLIC_URL'>;

/** Keeps the token in the browser for an hour. A token that can't be one is not kept. */
export function keepLink(
  ctx: ParameterizedContext,
  settings: CookieSettings,
  kind: LinkKind,
  token: string,
): void {
  if (plausible.test(token)) setCookie(ctx, cookieOf(kind), settings, token);
}

/** The token of the link that this browser has opened; null without one. */
export const readLink = (
  ctx: ParameterizedContext,
  settings: CookieSettings,
  kind: LinkKind,
): string | null => readCookie(ctx, cookieOf(kind), settings);

/** Makes the browser forget the token. */
export const forgetLink = (ctx: ParameterizedContext, settings: CookieSettings, kind: LinkKind): void =>
  clearCookie(ctx, cookieOf(kind), settings);
