import { readdirSync, readFileSync } from 'node:fs';
import type Router from '@koa/router';
import type { Middleware } from 'koa';
import { asset } from '../../storage/process/asset.js';
import type { Deps, RequestState } from '../context.js';
import { places } from '../web/app/places.js';
import { giveBrowserKey } from '../web/site/browser-key.js';
import { staticPage, staticText } from './static-answer.js';

const built = (name: string): URL => asset(`gateway/web/app-built/${name}`);

/** The application runs its own scripts alone, turns no text into markup or code, and calls no other host. */
const appPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** Adds the application in the browser: the document of each page at its path, and the files that it loads. It comes with a key for the browser, by which what its pages read is counted. */
export function addApp(router: Router<RequestState>, { settings }: Pick<Deps, 'settings'>): void {
  const giveKey: Middleware<RequestState> = (ctx, next) => {
    giveBrowserKey(ctx, settings);
    return next();
  };
  for (const { path, file } of places) {
    const text = readFileSync(built(`${file.replace('/', '-')}.html`), 'utf8');
    router.get(path, giveKey, staticPage(text, { policy: appPolicy, cacheControl: 'no-cache' }));
  }
  for (const name of readdirSync(built('assets')).filter((each) => !each.endsWith('.gz'))) {
    const type = name.endsWith('.css') ? 'text/css' : 'text/javascript';
    // The hash in its name changes with its content.
    const options = { cacheControl: 'public, max-age=31536000, immutable' };
    const text = () => readFileSync(built(`assets/${name}`), 'utf8');
    const packed = () => readFileSync(built(`assets/${name}.gz`));
    router.get(`/app/assets/${name}`, staticText(type, text, { ...options, packed }));
  }
}
