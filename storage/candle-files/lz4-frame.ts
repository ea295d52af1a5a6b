/**
 * Decompresses one LZ4 frame into exactly `length` bytes, as the Arrow format stores its buffers (lz4_Frame_format 1.6.4: magic,
 * descriptor, blocks, end mark). Checksums are skipped. Throws an `Error` for bytes that are no such frame, and reads and writes
 * nothing outside of both buffers.
 */
export function decodeLz4Frame(bytes: Uint8Array, length: number): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 7 || view.getUint32(0, true) !== magic) throw broken('it does not begin as a frame');
  const flags = bytes[4];
  const hasBlockChecksum = (flags & 0x10) !== 0;
  let at = 7 + ((flags & 0x08) !== 0 ? 8 : 0) + ((flags & 0x01) !== 0 ? 4 : 0);
  const out = new Uint8Array(length);
  let filled = 0;
  for (;;) {
    if (at + 4 > bytes.length) throw broken('it has no end');
    const size = view.getUint32(at, true);
    at += 4;
    if (size === 0) break;
    const end = at + (size & 0x7fff_ffff);
    if (end > bytes.length) throw broken('a block is cut off');
    const block = bytes.subarray(at, end);
    filled = size >>> 31 === 1 ? copyStored(block, out, filled) : decodeBlock(block, out, filled);
    at = end + (hasBlockChecksum ? 4 : 0);
  }
  if (filled !== length) throw broken(`it holds ${filled} bytes, expected ${length}`);
  return out;
}

const magic = 0x184d2204;

const broken = (why: string) => new Error(`the LZ4 data are broken: ${why}`);

function copyStored(block: Uint8Array, out: Uint8Array, filled: number): number {
  if (filled + block.length > out.length) throw broken('it is longer than announced');
  out.set(block, filled);
  return filled + block.length;
}

/** A block is sequences of literals and a match: bytes that stand `offset` bytes earlier in the output. */
function decodeBlock(block: Uint8Array, out: Uint8Array, start: number): number {
  let at = 0;
  let to = start;
  /** A length of 15 goes on in further bytes, up to the first that is not 255. */
  const lengthFrom = (short: number) => {
    let total = short;
    for (let more = short === 15; more; at++) {
      if (at >= block.length) throw broken('a length is cut off');
      total += block[at];
      more = block[at] === 255;
    }
    return total;
  };
  while (at < block.length) {
    const token = block[at++];
    const literals = lengthFrom(token >> 4);
    if (at + literals > block.length) throw broken('literals are cut off');
    if (to + literals > out.length) throw broken('it is longer than announced');
    out.set(block.subarray(at, at + literals), to);
    at += literals;
    to += literals;
    if (at === block.length) break;
    if (at + 2 > block.length) throw broken('an offset is cut off');
    const offset = block[at] | (block[at + 1] << 8);
    at += 2;
    if (offset === 0 || offset > to) throw broken('a match begins before the data');
    const match = lengthFrom(token & 15) + 4;
    if (to + match > out.length) throw broken('it is longer than announced');
    // Byte by byte: a match may overlap what it writes.
    for (let i = 0; i < match; i++, to++) out[to] = out[to - offset];
  }
  return to;
}
