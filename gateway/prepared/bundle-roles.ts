import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';

/** What a process or a thread begins with; `bundleOf` names the files. */
const entries = [
  'compute/worker',
  'gateway/main',
  'gateway/supervisor/start',
  'jobs/node/background-thread',
  'jobs/roles',
  'storage/embedded/mongod-download',
];

/**
 * Packages of many small modules, which are bundled with what they need; all others are loaded as they are, those among them that
 * start threads, are compiled for a machine, or are patched.
 */
const bundled = ['@modelcontextprotocol/server', 'ajv', 'chrono-node', 'joi', 'jose', 'nodemailer'];

const packages: Plugin = {
  name: 'packages',
  setup(bundle) {
    bundle.onResolve({ filter: /^[^./]/ }, ({ path, importer }) => {
      const isOwn = !importer.includes('/node_modules/');
      const isOutside =
        /^[^./]/.test(path) &&
        !path.startsWith('node:') &&
        isOwn &&
        !bundled.some((name) => `${path}/`.startsWith(`${name}/`));
      return isOutside || path.startsWith('@opentelemetry/') ? { path, external: true } : undefined;
    });
  },
};

/**
 * Writes `jobs/bundled`: what a role and a thread load, in few files. To find and read 1,300 modules takes a process longer than all
 * else that it does until it is ready.
 */
export async function bundleRoles(dist: string): Promise<void> {
  const outdir = join(dist, 'jobs/bundled');
  rmSync(outdir, { recursive: true, force: true });
  await build({
    entryPoints: entries.map((name) => ({ in: join(dist, `${name}.js`), out: name.replaceAll('/', '-') })),
    outdir,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: true,
    sourcesContent: false,
    // Packages that are bundled call it.
    banner: {
      js: "import{createRequire as requireFrom}from'node:module';const require=requireFrom(import.meta.url);",
    },
    plugins: [packages],
    logLevel: 'warning',
  });
}
