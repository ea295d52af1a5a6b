import Joi from 'joi';
import { clientNameOf } from '../../../../storage/oauth/clients.js';
import { redirectUriFault } from './redirect-uri.js';

/** What a client says about itself in the document at its client id. */
export interface PublishedClient {
  name: string;
  redirectUris: string[];
}

const mostRedirectUris = 10;

interface DocumentFields {
  client_id: string;
  client_name?: string;
  redirect_uris: string[];
  token_endpoint_auth_method?: string;
  client_secret?: never;
  client_secret_expires_at?: never;
}

/** Unknown members are ignored. A client secret is refused, because a public document can hold none. */
const documentSchema = Joi.object<DocumentFields>({
  client_id: Joi.string().required(),
  client_name: Joi.string().max(1_000),
  redirect_uris: Joi.array().items(Joi.string()).min(1).max(mostRedirectUris).required(),
  token_endpoint_auth_method: Joi.string().valid('none', 'private_key_jwt'),
  client_secret: Joi.forbidden(),
  client_secret_expires_at: Joi.forbidden(),
}).unknown();

/** The client in the text of a Client ID Metadata Document. Throws an error that says what is wrong with it. */
export function readMetadataDocument(clientId: string, text: string): PublishedClient {
  const checked = documentSchema.validate(parsed(text), { convert: false });
  if (checked.error) throw new Error(checked.error.message);
  const { value } = checked;
  if (value.client_id !== clientId) throw new Error('its "client_id" is not its own address');
  for (const uri of value.redirect_uris) {
    const fault = redirectUriFault(uri);
    if (fault !== null) throw new Error(`an address in its "redirect_uris" ${fault}`);
  }
  // Without a name the client is shown by its own host.
  return {
    name: clientNameOf(value.client_name ?? new URL(clientId).host),
    redirectUris: value.redirect_uris,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error('it is not JSON', { cause: error });
  }
}
