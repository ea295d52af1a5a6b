import { readFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { join } from 'node:path';
import {
  exportJWK,
  exportSPKI,
  generateKeyPair,
  SignJWT,
  type CryptoKey,
  type JWK,
  type JWTPayload,
} from 'jose';
import { projectRoot } from '../harness/paths.js';
import { listenLocally } from '../servers/listen-locally.js';

interface SigningKey {
  kid: string;
  alg: string;
  privateKey: CryptoKey;
  publicKey: CryptoKey;
  jwk: JWK;
}

/** What it does when it is asked for its keys. */
export type IssuerMood = 'well' | 'silent' | 'failing' | 'redirecting' | 'endless' | 'babbling';

/** An identity provider of the test's own: discovery, keys over HTTP, tokens. */
export class LocalIssuer {
  readonly url: string;
  readonly audience = 'tidemark-test';
  mood: IssuerMood = 'well';
  /** Where the discovery document says that its keys are. */
  keysUrl: string;
  /** Times that its keys were asked for. */
  asked = 0;
  /** Times that its discovery document was asked for. */
  discovered = 0;
  readonly #server: Server;
  #keys: SigningKey[] = [];

  private constructor(server: Server, url: string) {
    this.#server = server;
    this.url = url;
    this.keysUrl = `${url}/keys`;
  }

  static async open(): Promise<LocalIssuer> {
    const server = createServer();
    return LocalIssuer.#serve(server, await listenLocally(server));
  }

  /** One with a certificate that nobody trusts, for 127.0.0.1 and localhost. */
  static async openTls(): Promise<LocalIssuer> {
    const pem = await readFile(join(projectRoot, 'test/fixtures/loopback-certificate.pem'), 'utf8');
    const server = createTlsServer({ key: pem, cert: pem });
    return LocalIssuer.#serve(server, (await listenLocally(server)).replace('http:', 'https:'));
  }

  static async #serve(server: Server, url: string): Promise<LocalIssuer> {
    const issuer = new LocalIssuer(server, url);
    server.on('request', (request, response) => {
      const write = (body: unknown) => response.end(JSON.stringify(body));
      if (request.url === '/.well-known/openid-configuration') {
        issuer.discovered++;
        return issuer.#behave(response, () => write({ issuer: issuer.url, jwks_uri: issuer.keysUrl }));
      }
      issuer.asked++;
      return issuer.#behave(response, () => write({ keys: issuer.#keys.map(({ jwk }) => jwk) }));
    });
    await issuer.rotate();
    return issuer;
  }

  /** Takes other keys, one for RS256 and one for ES256; tokens of the old ones are good no longer. */
  async rotate(): Promise<void> {
    this.#keys = await Promise.all(['RS256', 'ES256'].map(newKey));
  }

  /** The claims of a good token. */
  claims(more: Record<string, unknown> = {}): JWTPayload {
    const now = Math.floor(Date.now() / 1_000);
    return {
      ...{ iss: this.url, aud: this.audience, sub: 'ada', iat: now, exp: now + 300 },
      ...{ email: 'ada@example.com', email_verified: true },
      ...more,
    };
  }

  /** A token of the claims; those that are undefined are left out. */
  async sign(more: Record<string, unknown> = {}, alg = 'RS256', header: object = {}): Promise<string> {
    const key = this.#key(alg);
    const signing = new SignJWT(this.claims(more)).setProtectedHeader({ alg, kid: key.kid, ...header });
    return signing.sign(key.privateKey);
  }

  /** A token that is signed with the public key as a shared secret. */
  async signAsSecret(): Promise<string> {
    const { kid, publicKey } = this.#key('RS256');
    const secret = new TextEncoder().encode(await exportSPKI(publicKey));
    return new SignJWT(this.claims()).setProtectedHeader({ alg: 'HS256', kid }).sign(secret);
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #key(alg: string): SigningKey {
    return this.#keys.find((each) => each.alg === alg)!;
  }

  #behave(response: ServerResponse, answer: () => unknown): void {
    if (this.mood === 'well') answer();
    if (this.mood === 'failing') response.writeHead(500).end('{}');
    if (this.mood === 'redirecting') response.writeHead(302, { Location: `${this.url}/elsewhere` }).end();
    if (this.mood === 'babbling') response.end('<html>');
    if (this.mood === 'endless') {
      const chunk = ' '.repeat(64 * 1024);
      const more = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', more);
      more();
    }
  }
}

let keys = 0;

async function newKey(alg: string): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const kid = `key-${++keys}`;
  return { kid, alg, privateKey, publicKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}
