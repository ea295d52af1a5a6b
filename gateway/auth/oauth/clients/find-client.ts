import { fieldError } from '../../../../compute/model/errors.js';
import type { Deps } from '../../../context.js';
import { isUnreachable, isUrlClientId } from './client-documents.js';
import { isLoopbackRedirect, isSameRedirect, redirectUriFault } from './redirect-uri.js';

/** A client and the address that it may have the browser sent to. */
export interface FoundClient {
  clientId: string;
  name: string;
  redirectUri: string;
}

export const unknownAppName = 'an app on this computer';

/** Ids that clients choose for themselves: short, of printable ASCII characters. */
const madeUpId = /^[\x21-\x7e]{1,200}$/;

/**
 * The client with that id, if it may use the redirect URI. Registered clients and those with a document may use the URIs that they
 * have named. Any other client, and one whose document can't be reached, may use only an address of the user's own computer.
 * Throws `invalid_input`, after which the browser must not be sent to the redirect URI.
 */
export async function findClient(
  clientId: string,
  redirectUri: string,
  network: string,
  { storage, clientDocuments }: Pick<Deps, 'storage' | 'clientDocuments'>,
): Promise<FoundClient> {
  const fault = redirectUriFault(redirectUri);
  if (fault !== null) throw refusedRedirect(fault);
  const known = isUrlClientId(clientId)
    ? await publishedClient(clientId, redirectUri, network, clientDocuments)
    : madeUpId.test(clientId)
      ? await storage.oauthClients.find(clientId)
      : null;
  if (!known) return unknownClient(clientId, redirectUri);
  if (!known.redirectUris.some((each) => isSameRedirect(each, redirectUri)))
    throw refusedRedirect('is none that the app has named');
  return { clientId, name: known.name, redirectUri };
}

/**
 * The client that a document describes. If the document can't be reached, a client on the user's own computer is treated as an
 * unknown one, and the consent page says that it is not verified.
 */
async function publishedClient(
  clientId: string,
  redirectUri: string,
  network: string,
  clientDocuments: Deps['clientDocuments'],
): Promise<{ name: string; redirectUris: string[] }> {
  try {
    return await clientDocuments.find(clientId, network);
  } catch (error) {
    if (!isUnreachable(error) || !isLoopbackRedirect(redirectUri)) throw error;
    return { name: unknownAppName, redirectUris: [redirectUri] };
  }
}

function unknownClient(clientId: string, redirectUri: string): FoundClient {
  if (!madeUpId.test(clientId) || !isLoopbackRedirect(redirectUri)) {
    const message = 'the app is not registered here, and is not on your own computer (invalid_client)';
    throw fieldError('client_id', message);
  }
  return { clientId, name: unknownAppName, redirectUri };
}

const refusedRedirect = (fault: string) => fieldError('redirect_uri', `the redirect_uri ${fault}`);
