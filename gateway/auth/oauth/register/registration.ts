import Joi from 'joi';
import { redirectUriFault } from '../clients/redirect-uri.js';
import { readRequest } from '../revoke-endpoint.js';

/** The part of a registration that is stored. */
export interface Registration {
  name: string;
  redirectUris: string[];
}

interface RegistrationFields {
  redirect_uris: string[];
  client_name: string;
  grant_types?: string[];
  response_types?: string[];
}

const mostRedirectUris = 10;

const redirectUri = Joi.string().custom((uri: string, helpers) => {
  const fault = redirectUriFault(uri);
  return fault === null ? uri : helpers.message({ custom: `{{#label}} ${fault}` });
});

/** A client that asks for an unsupported value would not work, so it is refused. */
const listWith = (value: string) =>
  Joi.array()
    .items(Joi.string().allow(''))
    .custom((listed: string[], helpers) =>
      listed.includes(value)
        ? listed
        : helpers.message({ custom: `{{#label}} must be a list with "${value}"` }),
    );

/** What /register takes (RFC 7591). */
export const registrationRequest = Joi.object<RegistrationFields, true>({
  redirect_uris: Joi.array()
    .items(redirectUri)
    .min(1)
    .max(mostRedirectUris)
    .required()
    .description(
      'addresses that the browser may be sent to: https, or http at a loopback address with any port; without fragment and wildcard',
    )
    .example(['https://app.example/callback']),
  client_name: Joi.string()
    .allow('')
    .default('')
    .description('how the client calls itself; 100 characters are shown to users')
    .example('Chart app'),
  grant_types: listWith('authorization_code').description('has to contain authorization_code'),
  response_types: listWith('code').description('has to contain code'),
});

/**
 * The registration in a body (RFC 7591). Unknown fields are ignored. The answer states what this service decides (no client secret;
 * grants by code and refresh token), even if the client has asked for something else. Throws `invalid_redirect_uri` and `invalid_client_metadata`.
 */
export function readRegistration(body: object): Registration {
  const { client_name: name, redirect_uris: redirectUris } = readRequest(registrationRequest, body, (field) =>
    field === 'redirect_uris' ? 'invalid_redirect_uri' : 'invalid_client_metadata',
  );
  return { name, redirectUris };
}
