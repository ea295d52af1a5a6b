import { keyContext, type Connection, type ConnectionRepository } from '../accounts/connections.js';
import type { SecretBox } from '../accounts/secret-box.js';
import type { ExchangeKey } from './open-ccxt.js';

/** The key of a stored connection. One that was sealed with an older key of the secret box is sealed again. */
export async function openKey(
  box: Pick<SecretBox, 'isOutdated' | 'open' | 'seal'>,
  connection: Connection,
  connections: Pick<ConnectionRepository, 'reseal'>,
): Promise<ExchangeKey> {
  const text = box.open(connection.key, keyContext(connection));
  if (box.isOutdated(connection.key))
    await connections.reseal(connection, box.seal(text, keyContext(connection)));
  return JSON.parse(text) as ExchangeKey;
}
