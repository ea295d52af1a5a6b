import type { ParameterizedContext } from 'koa';
import type { Settings } from '../../../storage/process/settings.js';
import { clearCookie, readCookie, setCookie } from './cookies.js';

/** Holds the session token of a browser. Pages read it, and the REST API for pages of this service (auth/rest-access.ts). */
const sessionCookie = { name: 'session', maxAgeSeconds: 7 * 86_400 };

type CookieSettings = Pick<Settings, 'PUBLIC_URL'>;

/** The session token that the browser holds, not checked; null without one. */
export const readSessionCookie = (ctx: ParameterizedContext, settings: CookieSettings): string | null =>
  readCookie(ctx, sessionCookie, settings);

/** Signs the browser in with a new session token, or out with null. */
export function setSessionCookie(
  ctx: ParameterizedContext,
  settings: CookieSettings,
  token: string | null,
): void {
  if (token === null) clearCookie(ctx, sessionCookie, settings);
  else setCookie(ctx, sessionCookie, settings, token);
}
