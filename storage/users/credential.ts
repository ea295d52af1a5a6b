import { grantKeyOf } from '../oauth/grant-secret.js';
import type { GrantRepository } from '../oauth/grants.js';
import { tokenKeyOf, type PersonalTokenRepository } from './personal-tokens.js';
import type { SessionRepository } from './sessions.js';
import { tokenScopes, type TokenScope } from './token-scopes.js';

/**
 * What a request shows to act for a user: a session token, a personal access token, or the access token of a connected app.
 * The key is the SHA-256 of the secret. Secrets of each kind have a form of their own, so that no key is of two kinds.
 */
export interface Credential {
  kind: 'session' | 'personal' | 'app';
  key: string;
}

/** A credential as stored. */
export interface StoredCredential {
  userId: string;
  /** Empty unless it is a session. */
  sessionId: string;
  /** Null unless it is of a connected app. */
  grantId: string | null;
  scopes: ReadonlySet<TokenScope>;
  /** URL of the service that it is for; null: for all that its kind is accepted by. */
  resource: string | null;
  expiresAt: Date;
}

/** Where credentials are read. */
export interface CredentialSources {
  sessions: Pick<SessionRepository, 'find'>;
  personalTokens: Pick<PersonalTokenRepository, 'find' | 'noteUse'>;
  grants: Pick<GrantRepository, 'ofAccess' | 'noteUse'>;
}

/** The credential of a bearer token; null for a text that is none. A session token is no bearer token. */
export function bearerCredential(secret: string): Credential | null {
  const personal = tokenKeyOf(secret);
  if (personal !== null) return { kind: 'personal', key: personal };
  const app = grantKeyOf('access', secret);
  return app === null ? null : { kind: 'app', key: app };
}

/** A session is the user's own: it has every scope. */
const allScopes: ReadonlySet<TokenScope> = new Set(tokenScopes);

/** Reads a credential; null if it is unknown, expired or revoked. */
export function findCredential(
  { kind, key }: Credential,
  sources: CredentialSources,
  now: number,
): Promise<StoredCredential | null> {
  return finders[kind](key, sources, now);
}

/** Stores that a credential was used, while the request goes on. A lost write does no harm: the next use writes again. */
export function noteCredentialUse(
  { kind, key }: Credential,
  { grantId }: StoredCredential,
  { personalTokens, grants }: CredentialSources,
  now: number,
): void {
  if (kind === 'personal') void personalTokens.noteUse(key, now).catch(() => undefined);
  if (grantId !== null) void grants.noteUse(grantId, now).catch(() => undefined);
}

type Finder = (key: string, sources: CredentialSources, now: number) => Promise<StoredCredential | null>;

const finders: Record<Credential['kind'], Finder> = {
  async session(key, { sessions }, now) {
    const found = await sessions.find(key, now);
    if (!found) return null;
    const { id: sessionId, userId, expiresAt } = found;
    return { userId, sessionId, grantId: null, scopes: allScopes, resource: null, expiresAt };
  },
  async personal(key, { personalTokens }, now) {
    const found = await personalTokens.find(key, now);
    if (!found) return null;
    const { userId, scopes, expiresAt } = found;
    return { userId, sessionId: '', grantId: null, scopes: new Set(scopes), resource: null, expiresAt };
  },
  async app(key, { grants }, now) {
    const found = await grants.ofAccess(key, now);
    if (!found) return null;
    const { grant, token } = found;
    const { id: grantId, userId, resource } = grant;
    const { scopes, expiresAt } = token;
    return { userId, sessionId: '', grantId, scopes: new Set(scopes), resource, expiresAt };
  },
};
