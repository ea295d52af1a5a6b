import Joi from 'joi';
import type { IssuedTokens } from '../../../../storage/oauth/grant-tokens.js';

/** The answer of RFC 6749, 5.1. */
export interface TokenAnswer {
  access_token: string;
  token_type: 'Bearer';
  expires_in: number;
  refresh_token: string;
  scope: string;
}

export const tokenAnswerSchema = Joi.object<TokenAnswer, true>({
  access_token: Joi.string()
    .required()
    .description('for the connector, in the header Authorization: Bearer')
    .example('oat_ACCESS_TOKEN'),
  token_type: Joi.string().valid('Bearer').required().description('Bearer').example('Bearer'),
  expires_in: Joi.number()
    .integer()
    .min(0)
    .required()
    .description('seconds for which the access token is valid')
    .example(3600),
  refresh_token: Joi.string()
    .required()
    .description('for the next tokens; valid for 30 days, once')
    .example('ort_REFRESH_TOKEN'),
  scope: Joi.string()
    .required()
    .description('scopes of the access token, separated by spaces')
    .example('read:analysis'),
});

/** The answer for tokens that were given. */
export const tokenAnswer = (
  { access, refresh, scopes, expiresAt }: IssuedTokens,
  now: number,
): TokenAnswer => ({
  access_token: access,
  token_type: 'Bearer',
  expires_in: Math.max(0, Math.floor((expiresAt.getTime() - now) / 1_000)),
  refresh_token: refresh,
  scope: scopes.join(' '),
});
