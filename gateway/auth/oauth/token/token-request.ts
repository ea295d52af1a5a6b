import Joi from 'joi';

/** The grants that are exchanged for tokens. */
export const grantNames = ['authorization_code', 'refresh_token'] as const;

/** What /token takes, as a form or as JSON (RFC 6749, 4.1.3 and 6; RFC 7636, 4.5; RFC 8707, 2.2). */
export interface TokenRequest {
  grant_type: (typeof grantNames)[number];
  client_id: string;
  code?: string;
  code_verifier?: string;
  redirect_uri?: string;
  refresh_token?: string;
  scope?: string;
  resource?: string;
}

export const tokenRequest = Joi.object<TokenRequest>({
  grant_type: Joi.string()
    .valid(...grantNames)
    .required()
    .description('what is exchanged for tokens'),
  client_id: Joi.string()
    .required()
    .description('id of the client, as in /authorize')
    .example('client_0123456789abcdefghijkl'),
  code: Joi.string()
    .description('for authorization_code: the code, which ends after 5 minutes or one use')
    .example('oac_CODE_THAT_THE_CLIENT_WAS_SENT'),
  code_verifier: Joi.string()
    .description(
      'for authorization_code: the verifier of the code_challenge, 43 to 128 characters; without it the code is refused and ends',
    )
    .example('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'),
  redirect_uri: Joi.string().description(
    'for authorization_code: the same as in /authorize; it may be left out',
  ),
  refresh_token: Joi.string().description(
    'for refresh_token: the newest refresh token, which is replaced; for 30 s it gets the same answer again',
  ),
  scope: Joi.string().description(
    'for refresh_token: scopes of the new access token, separated by spaces; some of those of the grant; all of them by default',
  ),
  resource: Joi.string().description('URL of the connector, as in /authorize'),
});

/** The requests of the two grants, each with its required fields. */
export const codeRequest = tokenRequest.fork('code', (code) => code.required()) as Joi.ObjectSchema<
  TokenRequest & { code: string }
>;
export const refreshRequest = tokenRequest.fork('refresh_token', (token) =>
  token.required(),
) as Joi.ObjectSchema<TokenRequest & { refresh_token: string }>;
