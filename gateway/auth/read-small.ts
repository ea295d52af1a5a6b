/** The bytes of a body. Throws for one that is larger than the limit, without reading on. */
export async function readSmall(
  parts: AsyncIterable<Uint8Array>,
  mostBytes: number,
): Promise<Buffer<ArrayBuffer>> {
  const read: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of parts) {
    bytes += part.length;
    if (bytes > mostBytes) throw new Error(`the answer is larger than ${mostBytes} bytes`);
    read.push(part);
  }
  return Buffer.concat(read);
}
