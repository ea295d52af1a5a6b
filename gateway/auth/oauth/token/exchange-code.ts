import { hash, timingSafeEqual } from 'node:crypto';
import type { Storage } from '../../../../storage/index.js';
import type { Grant, GrantCode } from '../../../../storage/oauth/grant-document.js';
import type { IssuedTokens } from '../../../../storage/oauth/grant-tokens.js';
import type { Deps } from '../../../context.js';
import { oauthError } from '../oauth-error.js';
import { readRequest, type OauthParameters } from '../revoke-endpoint.js';
import { checkTarget, codeRequest, type TokenCall, type TokenRequest } from './refresh-tokens.js';

/** RFC 7636, 4.1. */
const verifierForm = /^[\w.~-]{43,128}$/;

/** Whether a verifier is the one whose challenge the client sent when it asked for the code (RFC 7636, 4.6). */
function matchesChallenge(
  verifier: string | undefined,
  { challenge, challengeMethod }: Pick<GrantCode, 'challenge' | 'challengeMethod'>,
): boolean {
  if (verifier === undefined || !verifierForm.test(verifier)) return false;
  const derived = challengeMethod === 'S256' ? hash('sha256', verifier, 'base64url') : verifier;
  return timingSafeEqual(digest(derived), digest(challenge));
}

/** Texts of any length become equally long, so that they can be compared in constant time. */
const digest = (text: string): Buffer => hash('sha256', text, 'buffer');

type CodeStorage = Pick<Storage, 'grantTokens' | 'oauthClients' | 'users'>;

/**
 * The tokens for a code, which can be used once. A request that does not fit the code ends its grant. So does a second use, with
 * the tokens of the first, because one of the two has used a stolen code. Throws `invalid_request`, `invalid_grant` and `invalid_target`.
 */
export async function exchangeCode(
  given: OauthParameters,
  { storage, audit }: { storage: CodeStorage } & Pick<Deps, 'audit'>,
  { source, now }: TokenCall,
): Promise<IssuedTokens> {
  const asked = readRequest(codeRequest, given);
  const { code, client_id: clientId } = asked;
  const found = await storage.grantTokens.ofCode(code);
  if (!found) throw oauthError('invalid_grant', unusable);
  checkTarget(asked, found.grant);
  const tokens = isProven(asked, found) && (await issue(code, found.grant, storage, now));
  if (!tokens) {
    const { id, userId, clientName: name } = found.grant;
    if (await storage.grantTokens.end(id))
      audit.note('app_disconnected', userId, source, { name, by: 'code' });
    throw oauthError('invalid_grant', unusable);
  }
  // Keeps the registration of a client that a user has connected. A lost write does little harm.
  storage.oauthClients.noteUse(clientId).catch(() => undefined);
  return tokens;
}

/** One message for every reason, so that a guess learns nothing. */
const unusable =
  'the code is unknown, used or expired, or client_id, redirect_uri or code_verifier do not fit it: begin anew at /authorize';

/** Whether the request comes from the client that asked for the code: it knows the verifier of its challenge (RFC 7636). */
function isProven(
  { client_id: clientId, redirect_uri: redirectUri, code_verifier: verifier }: TokenRequest,
  { grant, code }: { grant: Grant; code: GrantCode },
): boolean {
  return (
    code.usedAt === null &&
    grant.clientId === clientId &&
    (redirectUri === undefined || redirectUri === code.redirectUri) &&
    matchesChallenge(verifier, code)
  );
}

/** Null for a code that has expired or was used meanwhile, or whose user was removed. */
async function issue(
  code: string,
  { userId }: Grant,
  { grantTokens, users }: CodeStorage,
  now: number,
): Promise<IssuedTokens | null> {
  return (await users.byId(userId)) === null ? null : grantTokens.exchange(code, now);
}
