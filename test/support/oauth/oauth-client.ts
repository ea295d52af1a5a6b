import assert from 'node:assert/strict';
import type { NewGrant } from '../../../storage/oauth/grants.js';
import type { TestService } from '../gateway/gateway.js';
import { postMcp, toolCall } from '../mcp/post-mcp.js';
import { newGrant, verifier } from './new-grant.js';

export interface OauthAnswer {
  status: number;
  headers: Headers;
  // Tests look into answers of every kind.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

/** Sends a form, as clients of OAuth do. */
export async function postForm(
  url: string,
  fields: Record<string, string> | string,
  headers: Record<string, string> = {},
): Promise<OauthAnswer> {
  const body = typeof fields === 'string' ? fields : new URLSearchParams(fields).toString();
  return answerOf(
    await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
      body,
    }),
  );
}

/** Sends a JSON body. */
export const postJson = async (url: string, body: unknown, headers: Record<string, string> = {}) =>
  answerOf(
    await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
  );

async function answerOf(answer: Response): Promise<OauthAnswer> {
  const text = await answer.text();
  const { status, headers } = answer;
  return { status, headers, body: text === '' ? null : (JSON.parse(text) as unknown) };
}

/** A client of a service, whose user has consented without a browser. */
export class OauthClientRig {
  readonly #service: TestService;
  #users = 0;

  constructor(service: TestService) {
    this.#service = service;
  }

  /** A consent of a user of its own: what an exchange sends. */
  async consent(given: Partial<NewGrant> = {}, now?: number) {
    const { storage, url, settings } = this.#service;
    const resource = `${settings.PUBLIC_URL || url}/mcp`;
    const email = `oauth-${++this.#users}@example.com`;
    const userId = given.userId ?? (await storage.users.add({ email, plan: 'plus', passwordHash: 'x' })).id;
    const grant = newGrant({ userId, resource, ...given });
    const code = await storage.grants.consent(grant, now);
    const exchange = {
      ...{ grant_type: 'authorization_code', code, code_verifier: verifier },
      ...{ client_id: grant.clientId, redirect_uri: grant.redirectUri },
    };
    return { userId, email, code, exchange };
  }

  /** A consent whose code was exchanged. */
  async connect(given: Partial<NewGrant> = {}) {
    const consented = await this.consent(given);
    const { status, body } = await this.token(consented.exchange);
    assert.equal(status, 200, JSON.stringify(body));
    return {
      ...consented,
      access: String(body.access_token),
      refresh: String(body.refresh_token),
      clientId: consented.exchange.client_id,
    };
  }

  token(fields: Record<string, string> | string): Promise<OauthAnswer> {
    return postForm(`${this.#service.url}/token`, fields);
  }

  refresh(refresh_token: string, more: Record<string, string> = {}): Promise<OauthAnswer> {
    return this.token({ grant_type: 'refresh_token', refresh_token, client_id: 'client_test', ...more });
  }

  /** The status of a call of a tool of the account, and the challenge of a refusal. */
  async call(access: string, url = this.#service.url): Promise<[status: number, challenge: string | null]> {
    const message = toolCall('get_account_access', {});
    const { status, headers } = await postMcp(url, message, { Authorization: `Bearer ${access}` });
    const challenge = headers.get('www-authenticate');
    return [status, /error="(\w+)"/.exec(challenge ?? '')?.[1] ?? null];
  }
}
