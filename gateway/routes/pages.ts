import { readFileSync } from 'node:fs';
import type Router from '@koa/router';
import type { Middleware } from 'koa';
import type { RequestState } from '../context.js';

/** The pages lie where they were written: the compiler does not touch them. */
const folder = new URL('../../../gateway/web/', import.meta.url);

const pages = [
  { path: '/dashboard', file: 'dashboard.html', type: 'text/html; charset=utf-8' },
  { path: '/dashboard/dashboard.css', file: 'dashboard.css', type: 'text/css; charset=utf-8' },
  { path: '/dashboard/dashboard.js', file: 'dashboard.js', type: 'text/javascript; charset=utf-8' },
];

/** Nothing is loaded from elsewhere, nothing in the page itself runs, and no other page shows it in a frame. */
const headers = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-cache',
};

/** Adds the pages that people open in a browser. */
export function addPages(router: Router<RequestState>): void {
  for (const { path, file, type } of pages) router.get(path, page(readFileSync(new URL(file, folder)), type));
}

const page =
  (content: Buffer, type: string): Middleware<RequestState> =>
  (ctx) => {
    ctx.set(headers);
    ctx.type = type;
    ctx.body = content;
  };
