import { AppError } from '../../compute/model/errors.js';
import { didYouMean, nearestNames } from '../../compute/model/nearest-names.js';
import { sitePages } from '../web/site/site-pages.js';
import { routeTable } from './table.js';

/** Paths without an operation; a test holds that none of them is unknown. */
export const otherPaths: readonly string[] = [
  '/authorize',
  '/dashboard',
  '/docs',
  '/docs/connect',
  '/docs/tokens',
  '/openapi.d.ts',
  '/healthz',
  '/mcp',
  '/openapi.json',
  '/readyz',
  '/register',
  '/revoke',
  '/token',
  ...sitePages.map(({ path }) => path),
];

/** The fixed paths by their last part: callers know that best, and leave out or mistake the parts before it. */
const byLastPart = new Map<string, string[]>();

for (const path of new Set([...routeTable.map(({ path }) => path), ...otherPaths])) {
  if (path.includes(':')) continue;
  const last = lastPart(path);
  byLastPart.set(last, [...(byLastPart.get(last) ?? []), path]);
}

/** The error of a path where nothing is, with the paths that were probably meant. */
export function unknownPath(path: string): AppError {
  const near = path.length > 100 ? [] : nearestNames(lastPart(path), [...byLastPart.keys()]);
  const meant = near.flatMap((last) => byLastPart.get(last)!).slice(0, 3);
  return new AppError('unknown_path', `there is nothing at "${path.slice(0, 100)}"${didYouMean(meant)}`);
}

function lastPart(path: string): string {
  return path.replace(/\/+$/, '').split('/').at(-1)!;
}
