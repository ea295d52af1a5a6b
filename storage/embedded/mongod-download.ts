/**
 * A separate program that downloads the official mongod into the folder given as its argument. The library prints progress
 * to the console and cannot be stopped; a process can be killed.
 */
import { MongoBinary } from 'mongodb-memory-server-core';

/** The same one everywhere, whatever the library would choose. */
const version = '8.2.6';

try {
  await MongoBinary.getPath({ downloadDir: process.argv[2], version, checkMD5: true });
} catch (error) {
  // One line, because it becomes the reason in a list of attempts.
  console.error((error as Error).message.replaceAll(/\s+/g, ' '));
  process.exitCode = 1;
}
