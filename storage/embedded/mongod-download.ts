/**
 * A separate program that downloads the official mongod into the folder given as its first argument. The second is a file of
 * the archives that it may download, with their SHA-256. The library prints progress to the console and cannot be stopped; a
 * process can be killed.
 */
import { createHash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { DryMongoBinary } from 'mongodb-memory-server-core';
import { MongoBinaryDownload } from 'mongodb-memory-server-core/lib/util/MongoBinaryDownload.js';

/** The same one everywhere, whatever the library would choose. */
const version = '8.2.6';

const [, , downloadDir, pinsFile] = process.argv;

/** The SHA-256 by the name of the archive. */
const pins = new Map(
  readFileSync(pinsFile, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, hash, name] = /^([0-9a-f]{64}) {2}(\S+)$/.exec(line) ?? [];
      return name === undefined ? [] : [[name, hash] as const];
    }),
);

class PinnedDownload extends MongoBinaryDownload {
  override async download(url: string): Promise<string> {
    const name = basename(new URL(url).pathname);
    if (!pins.has(name))
      throw new Error(`no SHA-256 is pinned for "${name}", only for ${[...pins.keys()].join(', ')}`);
    return super.download(url);
  }

  /** The library calls it before it unpacks the archive. */
  override async makeMD5check(_url: string, archive: string): Promise<boolean> {
    const hash = createHash('sha256');
    await pipeline(createReadStream(archive), hash);
    const [expected, found] = [pins.get(basename(archive)), hash.digest('hex')];
    if (found === expected) return true;
    throw new Error(
      `the SHA-256 of "${basename(archive)}" is ${found}, expected ${expected}: it is not used`,
    );
  }
}

try {
  const options = await DryMongoBinary.generateOptions({ downloadDir, version });
  await new PinnedDownload({ ...options, downloadDir, version }).getMongodPath();
} catch (error) {
  // One line, because it becomes the reason in a list of attempts.
  console.error((error as Error).message.replaceAll(/\s+/g, ' '));
  process.exitCode = 1;
}
