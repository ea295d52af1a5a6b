/** An identity provider whose ID tokens sign users in. */
export interface IdpIssuer {
  /** Exactly as in the `iss` claim of its tokens. */
  issuer: string;
  /** The client ids of this service at the provider: the accepted values of the `aud` claim. */
  audiences: string[];
  /** The URL of its keys; null if it is read from the discovery document. */
  jwksUrl: string | null;
}

const loopback = new Set(['127.0.0.1', '[::1]', 'localhost']);

/**
 * Parses issuers as in `https://id.example client-1, https://other.example client-2 https://other.example/keys`. An issuer
 * that is listed twice accepts tokens for both audiences. Throws an Error that says what is wrong.
 */
export function readIssuers(text: string): IdpIssuer[] {
  const issuers = new Map<string, IdpIssuer>();
  for (const entry of text.split(',').filter((each) => each.trim() !== '')) {
    const [issuer, audience, jwksUrl, ...more] = entry.trim().split(/\s+/);
    if (!audience || more.length > 0) throw new Error('an entry is no issuer with an audience');
    for (const url of [issuer, ...(jwksUrl ? [jwksUrl] : [])]) checkIssuerUrl(url);
    const known = issuers.get(issuer);
    if (known && known.jwksUrl !== (jwksUrl || null)) throw new Error('an issuer has two addresses of keys');
    if (known) known.audiences.push(audience);
    else issuers.set(issuer, { issuer, audiences: [audience], jwksUrl: jwksUrl || null });
  }
  return [...issuers.values()];
}

/** Throws an Error unless the address is https or on this machine: keys fetched over plain http could be forged. */
export function checkIssuerUrl(text: string): void {
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '') throw new Error('an address has a user');
  if (protocol === 'https:' || (protocol === 'http:' && loopback.has(hostname))) return;
  throw new Error('an address is not https');
}
