/** Parses keys of 32 bytes in hex or base64, separated by commas. Throws a RangeError that does not repeat them. */
export function readSecretKeys(text: string): Buffer[] {
  if (text.trim() === '') return [];
  return text.split(',').map((part, n) => {
    const key = readSecretKey(part.trim());
    if (!key) throw new RangeError(`key ${n + 1} is not 32 bytes in hex or base64`);
    return key;
  });
}

/** The 32 bytes of a key in hex or base64; null if the text is neither. */
export function readSecretKey(text: string): Buffer | null {
  if (/^[0-9a-fA-F]{64}$/.test(text)) return Buffer.from(text, 'hex');
  return /^[A-Za-z0-9+/]{43}=?$/.test(text) ? Buffer.from(text, 'base64') : null;
}
