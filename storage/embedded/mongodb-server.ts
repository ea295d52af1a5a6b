import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { downloadedMongod, downloadMongod, mongodOnPath } from './mongod.js';
import type { Report } from '../process/terminal-report.js';
import { findSecantusdb } from './secantusdb.js';
import { firstProgram, type ServerCandidate, type ServerProgram } from './server-program.js';

const fallback =
  'a beta of a server with the protocol of MongoDB, under GPL-2.0, run as a process of its own';

const advice =
  'no MongoDB is on this machine and none could be installed; install mongod, or set MONGODB_URL to a running MongoDB.';

/** The data folder of each engine. They cannot read each other's data. */
export const mongodbFolders = (dataDir: string) => ({
  mongod: join(dataDir, 'mongodb'),
  secantusdb: join(dataDir, 'secantusdb'),
});

/**
 * Finds a MongoDB on this machine or installs one into `serversDir`. If an engine has data in `dataDir`, only that engine
 * is considered: another one would start empty. Throws `server_not_found` with all attempts.
 */
export async function findMongodbServer(
  dataDir: string,
  serversDir: string,
  report: Report,
): Promise<ServerProgram> {
  const folders = mongodbFolders(dataDir);
  const secantusdb = (allowed: boolean) =>
    findSecantusdb(folders.secantusdb, serversDir, { allowed, report });
  const found: ServerCandidate[] = [
    { name: 'mongod', find: () => mongodOnPath(folders.mongod) },
    { name: 'mongod downloaded earlier', find: () => downloadedMongod(folders.mongod, serversDir) },
  ];
  const download = {
    name: 'official download',
    find: () => downloadMongod(folders.mongod, serversDir, report),
  };
  if (hasData(folders.mongod)) return firstProgram([...found, download], mustBe('MongoDB', folders.mongod));
  const fromPypi = { name: 'PyPI', fallback, find: () => secantusdb(true) };
  if (hasData(folders.secantusdb)) return firstProgram([fromPypi], mustBe('SecantusDB', folders.secantusdb));
  const installed = { name: 'SecantusDB installed earlier', fallback, find: () => secantusdb(false) };
  return firstProgram([...found, installed, download, fromPypi], advice);
}

/** Both engines create this file in their data folder. */
function hasData(folder: string): boolean {
  return existsSync(join(folder, 'WiredTiger'));
}

function mustBe(engine: string, folder: string): string {
  return `"${folder}" holds data of ${engine}, which is not on this machine and could not be installed; install it, set MONGODB_URL, or move that folder away to start without its data.`;
}
