import { decodeJwt, errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import { AppError } from '../../compute/model/errors.js';
import type { Identity } from '../../storage/users/identities.js';
import type { IdpIssuer } from '../../storage/users/idp-issuers.js';
import { issuerKeys } from './issuer-keys.js';

/** The claims of a verified ID token. */
export interface IdClaims extends Identity {
  email: string | null;
  /** Whether the issuer has verified that the e-mail belongs to the user. */
  emailVerified: boolean;
}

/** Asymmetric algorithms only: "none" and shared secrets are not accepted. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512'].concat([
  'EdDSA',
  'Ed25519',
]);

const defaultCooldownMs = 30_000;
/** Allowed difference between the clocks of issuer and service. */
const clockToleranceSeconds = 5;
/** How far ahead of this service's clock the time of issue of a token may be. */
const mostSecondsAhead = 60;

/** Verifies ID tokens of the configured issuers. A token may be used several times until it expires. */
export class IdTokens {
  readonly #issuers: Map<string, { audiences: string[]; getKey: JWTVerifyGetKey }>;

  constructor(issuers: readonly IdpIssuer[], cooldownMs = defaultCooldownMs) {
    this.#issuers = new Map(
      issuers.map((idp) => [idp.issuer, { audiences: idp.audiences, getKey: issuerKeys(idp, cooldownMs) }]),
    );
  }

  /**
   * The claims of the token. If a nonce is given, it must equal the token's. Throws `invalid_input` if no issuer is
   * configured, `unauthorized` for an invalid token, `idp_unavailable` if the issuer does not answer.
   */
  async verify(idToken: string, nonce?: string): Promise<IdClaims> {
    if (this.#issuers.size === 0)
      throw new AppError('invalid_input', 'signing in with an identity provider is not set up here');
    try {
      const issuer = issuerOf(idToken);
      const known = this.#issuers.get(issuer);
      if (!known) throw new Error('its issuer is unknown');
      const { payload, protectedHeader } = await jwtVerify(idToken, known.getKey, {
        algorithms,
        issuer,
        audience: known.audiences,
        clockTolerance: clockToleranceSeconds,
        requiredClaims: ['exp', 'iat', 'sub'],
      });
      if (!['undefined', 'jwt'].includes(String(protectedHeader.typ).toLowerCase()))
        throw new Error('it is not an ID token');
      checkClaims(payload, known.audiences, nonce);
      return claimsOf(payload, issuer);
    } catch (error) {
      if (error instanceof AppError) throw error;
      throw new AppError('unauthorized', `the ID token is refused: ${reasonOf(error)}`, { cause: error });
    }
  }
}

function issuerOf(idToken: string): string {
  const { iss } = decodeJwt(idToken);
  if (typeof iss !== 'string') throw new Error('it names no issuer');
  return iss;
}

function checkClaims(
  { aud, azp, iat, nonce: held, sub }: JWTPayload,
  audiences: string[],
  nonce?: string,
): void {
  if (iat! > Date.now() / 1_000 + mostSecondsAhead) throw new Error('it was issued in the future');
  if (typeof sub !== 'string' || sub === '' || sub.length > 255)
    throw new Error('its "sub" is missing or too long');
  if (nonce !== undefined && held !== nonce)
    throw new Error('its "nonce" differs from the one in the request');
  // A token for several audiences names in "azp" the client that it was issued to.
  if (Array.isArray(aud) && aud.length > 1 && !audiences.includes(String(azp)))
    throw new Error('its "azp" is not an accepted client');
}

function claimsOf({ sub, email, email_verified: verified }: JWTPayload, issuer: string): IdClaims {
  return {
    issuer,
    subject: sub!,
    email: typeof email === 'string' ? email : null,
    // Apple writes the boolean as a string.
    emailVerified: verified === true || verified === 'true',
  };
}

const reasons: Partial<Record<string, string>> = {
  ERR_JWT_EXPIRED: 'it has expired',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'its signature is wrong',
  ERR_JWKS_NO_MATCHING_KEY: 'its key does not belong to the issuer',
  ERR_JOSE_ALG_NOT_ALLOWED: 'its algorithm is not accepted',
};

/** What is wrong, without quoting the token. */
function reasonOf(error: unknown): string {
  if (error instanceof errors.JWTClaimValidationFailed) return `its claim "${error.claim}" is invalid`;
  if (error instanceof errors.JOSEError) return reasons[error.code] ?? 'it is malformed';
  return error instanceof TypeError ? 'it is malformed' : (error as Error).message;
}
