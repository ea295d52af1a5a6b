import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { ParameterizedContext } from 'koa';
import type { Settings } from '../../../storage/process/settings.js';
import { readCookie, setCookie } from './cookies.js';

/** Tells browsers apart before anyone has signed in. It gives no access. */
const browserCookie = { name: 'browser' };

/** 256 random bits in base64url. */
const keyPattern = /^[\w-]{43}$/;

type CookieSettings = Pick<Settings, 'PUBLIC_URL'>;

/** The random key that this browser was given before; null if it holds none. */
export function readBrowserKey(ctx: ParameterizedContext, settings: CookieSettings): string | null {
  const key = readCookie(ctx, browserCookie, settings);
  return key !== null && keyPattern.test(key) ? key : null;
}

/** Keys that are given with an answer, until it is sent. */
const given = new WeakMap<IncomingMessage, string>();

/** The random key of this browser; a browser without one is given it with this answer. */
export function giveBrowserKey(ctx: ParameterizedContext, settings: CookieSettings): string {
  const known = readBrowserKey(ctx, settings) ?? given.get(ctx.req);
  if (known !== undefined) return known;
  const key = randomBytes(32).toString('base64url');
  given.set(ctx.req, key);
  setCookie(ctx, browserCookie, settings, key);
  return key;
}
