import { createHash } from 'node:crypto';

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';
const bitsPerDigit = 5;
const digits = 32;

const form = new RegExp(`^[${alphabet}]{${digits}}$`);

/** Whether an id has the form of the ids that `clientOrderIdOf` makes. */
export const isClientOrderId = (text: string): boolean => form.test(text);

/**
 * The id by which an exchange knows an order: 32 characters of a-z and 2-7, which every exchange accepts. It is
 * computed from the order alone, so an order that may have been sent is looked up by it, and never sent under another id.
 */
export function clientOrderIdOf(executionId: string, leg: string, revision: number): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([executionId, leg, revision]))
    .digest();
  let bits = BigInt(`0x${hash.toString('hex')}`);
  let text = '';
  for (let n = 0; n < digits; n++) {
    text += alphabet[Number(bits & 31n)];
    bits >>= BigInt(bitsPerDigit);
  }
  return text;
}
