import type Joi from 'joi';
import type { PersonalToken } from '../../../storage/users/personal-tokens.js';
import { tokenScopes, type TokenScope } from '../../../storage/users/token-scopes.js';
import { date, list, oneOf, text } from '../output-fields.js';

/** A token as its user sees it. Times are ISO 8601, UTC. */
export interface ShownToken {
  id: string;
  name: string;
  scopes: TokenScope[];
  created: string;
  expires: string;
  /** To the minute; null before the first use. */
  lastUsed: string | null;
}

export const tokenFields: Joi.StrictSchemaMap<ShownToken> = {
  id: text('id by which the token can be revoked'),
  name: text('name that its user gave it'),
  scopes: list(oneOf(tokenScopes, 'scope'), 'what it allows'),
  created: date('when it was made'),
  expires: date('when it stops working'),
  lastUsed: date('when it was last used, to the minute; null before').allow(null),
};

export const shownToken = ({
  id,
  name,
  scopes,
  createdAt,
  expiresAt,
  lastUsedAt,
}: PersonalToken): ShownToken => ({
  id,
  name,
  scopes,
  created: createdAt.toISOString(),
  expires: expiresAt.toISOString(),
  lastUsed: lastUsedAt?.toISOString() ?? null,
});
