import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppError } from '../../compute/model/errors.js';
import { asset, bundleOf } from '../process/asset.js';
import { childEnvironment } from './child-environment.js';
import { installFolder } from './install-folder.js';
import { mongodPassword } from './mongod-user.js';
import { embeddedMongodbUrl, isMongodbReady } from './mongodb-ready.js';
import { programOnPath } from './python-package.js';
import { reportProgress, type Report } from '../process/terminal-report.js';
import { runProgram } from './run-program.js';
import { serverOptions, type ServerProgram } from './server-program.js';
import { serverVersion } from './redis-server.js';

/** The mongod on PATH. Throws `server_not_found`. */
export async function mongodOnPath(folder: string): Promise<ServerProgram> {
  const program = await programOnPath('mongod');
  if (program === undefined) throw new AppError('server_not_found', 'not on PATH');
  return mongodProgram(program, program, folder);
}

/** The official mongod that was downloaded into `serversDir` earlier. Throws `server_not_found`. */
export async function downloadedMongod(folder: string, serversDir: string): Promise<ServerProgram> {
  const target = join(serversDir, 'mongod');
  const files = await readdir(target).catch(() => []);
  const file = files.find(
    (name) => name.startsWith('mongod') && !name.includes('.md5') && !name.endsWith('.lock'),
  );
  if (file === undefined) throw new AppError('server_not_found', 'not downloaded yet');
  return mongodProgram(join(target, file), `the official download (${join(target, file)})`, folder);
}

/** Downloads the official mongod into `serversDir`. Fails within seconds when the download is blocked. */
export async function downloadMongod(
  folder: string,
  serversDir: string,
  report: Report,
): Promise<ServerProgram> {
  report('downloading MongoDB (about 90 MB, once) ...');
  const program = fileURLToPath(bundleOf('storage/embedded/mongod-download'));
  const pins = fileURLToPath(asset('storage/embedded/mongod-pins.txt'));
  const of = 'downloading MongoDB';
  const onLine = (line: string) => {
    const percent = /([\d.]+)% \(/.exec(line)?.[1];
    if (percent !== undefined)
      reportProgress(report, { of, fraction: Math.min(0.99, Number(percent) / 100) });
  };
  await installFolder(join(serversDir, 'mongod'), (draft) =>
    runProgram(process.execPath, [program, draft, pins], {
      env: downloadEnv(),
      timeoutMs: 900_000,
      silenceMs: 10_000,
      onLine,
    }),
  ).catch((error: unknown) => {
    reportProgress(report, { of, fraction: null });
    throw error;
  });
  reportProgress(report, { of, fraction: 1 });
  return downloadedMongod(folder, serversDir);
}

function downloadEnv(): NodeJS.ProcessEnv {
  return {
    ...childEnvironment('MONGOMS_', 'npm_config_'),
    // Without this npm setting the library accepts any certificate.
    npm_config_strict_ssl: 'true',
    MONGOMS_PREFER_GLOBAL_PATH: 'false',
    MONGOMS_MAX_RETRIES: '1',
  };
}

async function mongodProgram(command: string, origin: string, folder: string): Promise<ServerProgram> {
  const version = await serverVersion(command, /db version v(\d+(?:\.\d+)+)/, '4.4');
  const title = `MongoDB ${version}`;
  const password = await mongodPassword({ title, origin, command, folder });
  const url = (port: number) => embeddedMongodbUrl(port, password);
  return {
    kind: 'mongodb',
    title,
    origin,
    command,
    args: (port) => [
      ...serverOptions({
        bind_ip: '127.0.0.1',
        port: String(port),
        dbpath: folder,
        // The default cache is half of the machine's memory, too much for a development machine.
        wiredTigerCacheSizeGB: '1',
        setParameter: 'enableLocalhostAuthBypass=0',
      }),
      '--nounixsocket',
      '--quiet',
      '--auth',
    ],
    url,
    folder,
    isReady: (port, pid) => isMongodbReady(url(port), port, pid),
  };
}
