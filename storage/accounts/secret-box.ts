import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { AppError } from '../../compute/model/errors.js';

/** An encrypted text. */
export interface SealedSecret {
  /** Identifies the key without revealing it. */
  keyId: string;
  /** Nonce, ciphertext and tag, in base64. */
  sealed: string;
}

const algorithm = 'aes-256-gcm';
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

/** Seals secrets with AES-256-GCM. The first key seals and every key opens, so keys can be rotated without downtime. */
export class SecretBox {
  readonly #keys: ReadonlyMap<string, Buffer>;
  readonly #firstId: string;

  constructor(keys: readonly Buffer[]) {
    if (keys.length === 0 || keys.some(({ length }) => length !== keyBytes))
      throw new RangeError(`expected keys of ${keyBytes} bytes, at least one`);
    this.#keys = new Map(keys.map((key) => [idOf(key), key]));
    this.#firstId = idOf(keys[0]);
  }

  /** What identifies the keys, the one that seals first. */
  get keyIds(): string[] {
    return [...this.#keys.keys()];
  }

  /** Seals a text and binds it to `context`, which is needed again to open it. */
  seal(text: string, context: string): SealedSecret {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(algorithm, this.#keys.get(this.#firstId)!, nonce, {
      authTagLength: tagBytes,
    });
    cipher.setAAD(Buffer.from(context));
    const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    const sealed = Buffer.concat([nonce, ciphertext, cipher.getAuthTag()]).toString('base64');
    return { keyId: this.#firstId, sealed };
  }

  /** The sealed text. Throws `secret_unreadable` for an unknown key, another context or any changed byte. */
  open({ keyId, sealed }: SealedSecret, context: string): string {
    const key = this.#keys.get(keyId);
    if (!key) throw unreadable(`it was sealed with key "${keyId}", which SECRETS_KEY does not hold`);
    const bytes = Buffer.from(sealed, 'base64');
    if (bytes.length < nonceBytes + tagBytes) throw unreadable('it is cut off');
    const [nonce, tag] = [bytes.subarray(0, nonceBytes), bytes.subarray(-tagBytes)];
    try {
      const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
      decipher.setAAD(Buffer.from(context));
      decipher.setAuthTag(tag);
      const text = [decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()];
      return Buffer.concat(text).toString('utf8');
    } catch {
      throw unreadable('it was changed, or belongs to something else');
    }
  }

  /** Whether a secret should be sealed again, because it was not sealed with the first key. */
  isOutdated({ keyId }: SealedSecret): boolean {
    return keyId !== this.#firstId;
  }
}

const idOf = (key: Buffer): string =>
  createHash('sha256').update('tidemark key id').update(key).digest('hex').slice(0, 12);

const unreadable = (why: string) =>
  new AppError('secret_unreadable', `a stored secret cannot be read: ${why}`);
