import { AppError } from '../../compute/model/errors.js';
import type { ExchangeKey } from './open-ccxt.js';

const pemKey =
  /-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----\r?\n(?:[A-Za-z0-9+/=]{1,76}\r?\n){1,80}-----END [A-Z ]{0,20}PRIVATE KEY-----(?:\r?\n)?/;

/** A text of a key: what HTTP allows in a header, so without line breaks, tabs and other control characters. */
export const keyText = { pattern: /^[\x20-\x7e]{1,4096}$/, meaning: 'printable ASCII in one line' };

/** A secret may be a private key in PEM form too, whose line breaks belong to its form. It never becomes a header. */
export const secretText = {
  pattern: new RegExp(`^(?:[\\x20-\\x7e]{1,4096}|${pemKey.source})$`),
  meaning: 'printable ASCII in one line, or a private key in PEM form',
};

/**
 * Throws `invalid_input` with the field that clients know for a key that cannot be sent: fetch would refuse its header before
 * anything goes out. The message does not repeat the text.
 */
export function requireKeyText({ apiKey, secret, passphrase }: ExchangeKey): void {
  requireText('apiKey', apiKey, keyText);
  requireText('apiSecret', secret, secretText);
  // An empty passphrase counts as a missing one, which `tryKey` reports where the exchange needs one.
  if (passphrase) requireText('passphrase', passphrase, keyText);
}

function requireText(field: string, text: string, { pattern, meaning }: typeof keyText): void {
  if (pattern.test(text)) return;
  throw new AppError('invalid_input', `"${field}" must be ${meaning}`, { details: { field } });
}
