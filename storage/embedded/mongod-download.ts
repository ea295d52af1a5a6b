/**
 * A program of its own: downloads the official mongod into the folder given as its argument. The library prints its
 * progress to the console and cannot be stopped, which is no matter in a process that can be ended.
 */
import { MongoBinary } from 'mongodb-memory-server-core';

try {
  await MongoBinary.getPath({ downloadDir: process.argv[2] });
} catch (error) {
  // One line: it becomes the reason in the list of what was tried.
  console.error((error as Error).message.replaceAll(/\s+/g, ' '));
  process.exitCode = 1;
}
