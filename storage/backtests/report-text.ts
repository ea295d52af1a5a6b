import { promisify } from 'node:util';
import { constants, gunzip, gzip } from 'node:zlib';

const [pack, unpack] = [promisify(gzip), promisify(gunzip)];

/** The most that a stored report takes, compressed. A year of 1h candles with a trade on every second one takes a tenth. */
export const mostReportBytes = 2 * 1024 * 1024;

const mostTextBytes = 64 * 1024 * 1024;

/** The JSON of a report as it is stored: gzip, fast rather than small, away from the main thread. */
export const packReport = (text: string): Promise<Buffer> => pack(text, { level: constants.Z_BEST_SPEED });

/** The JSON of a stored report. */
export const unpackReport = async (packed: Uint8Array): Promise<string> =>
  (await unpack(packed, { maxOutputLength: mostTextBytes })).toString();
