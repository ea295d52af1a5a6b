import type Joi from 'joi';
import type { Grant } from '../../../storage/oauth/grant-document.js';
import { tokenScopes, type TokenScope } from '../../../storage/users/token-scopes.js';
import { date, list, oneOf, text } from '../output-fields.js';

/** A connected app as its user sees it. Times are ISO 8601, UTC. */
export interface ShownApp {
  id: string;
  name: string;
  redirectHost: string;
  scopes: TokenScope[];
  created: string;
  expires: string;
  /** To the minute; null before the first use. */
  lastUsed: string | null;
}

export const appFields: Joi.StrictSchemaMap<ShownApp> = {
  id: text('id by which the app can be disconnected'),
  name: text('name that the app gives itself'),
  redirectHost: text('host that it was connected from'),
  scopes: list(oneOf(tokenScopes, 'scope'), 'what it may do'),
  created: date('when it was connected'),
  expires: date('when it is disconnected unless it is used'),
  lastUsed: date('when it was last used, to the minute; null before').allow(null),
};

export const shownApp = ({
  id,
  clientName,
  redirectHost,
  scopes,
  createdAt,
  expiresAt,
  lastUsedAt,
}: Grant): ShownApp => ({
  id,
  name: clientName,
  redirectHost,
  scopes,
  created: createdAt.toISOString(),
  expires: expiresAt.toISOString(),
  lastUsed: lastUsedAt?.toISOString() ?? null,
});
