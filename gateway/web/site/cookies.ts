import type { ParameterizedContext } from 'koa';
import type { Settings } from '../../../storage/process/settings.js';

/** A cookie of the pages. Scripts can't read it, other sites don't get it sent with a form, and other hosts can't set it over https. */
export interface PageCookie {
  name: string;
  /** How long the browser keeps it; absent: until it is closed. */
  maxAgeSeconds?: number;
}

type CookieSettings = Pick<Settings, 'PUBLIC_URL'>;

const isSecure = ({ PUBLIC_URL }: CookieSettings) => PUBLIC_URL.startsWith('https:');

/** Browsers accept the prefix only over https, for this very host, and then let no other host or plain http replace the cookie. */
const cookieName = ({ name }: PageCookie, settings: CookieSettings): string =>
  isSecure(settings) ? `__Host-${name}` : name;

/** The value that the browser sent; null without one, and for several: one of them may come from elsewhere. */
export function readCookie(
  { req }: ParameterizedContext,
  cookie: PageCookie,
  settings: CookieSettings,
): string | null {
  const start = `${cookieName(cookie, settings)}=`;
  const sent = (req.headers.cookie ?? '').split(';').map((part) => part.trim());
  const values = sent.filter((part) => part.startsWith(start)).map((part) => part.slice(start.length));
  return values.length === 1 ? values[0] : null;
}

/** Sets a cookie with this answer; null makes the browser forget it. */
export function setCookie(
  ctx: ParameterizedContext,
  { name, maxAgeSeconds }: PageCookie,
  settings: CookieSettings,
  value: string | null,
): void {
  const seconds = value === null ? 0 : maxAgeSeconds;
  const age = seconds === undefined ? '' : `; Max-Age=${seconds}`;
  const secure = isSecure(settings) ? '; Secure' : '';
  const start = `${cookieName({ name }, settings)}=${value ?? ''}`;
  ctx.append('Set-Cookie', `${start}; Path=/${age}; HttpOnly; SameSite=Lax${secure}`);
}
