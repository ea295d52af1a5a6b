import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import esbuild, { type Metafile, type Plugin } from 'esbuild';
import { asset } from '../../../storage/process/asset.js';
import { places, type Place } from '../app/places.js';
import { html } from '../html.js';
import { pageHead } from '../page-head.js';

const source = fileURLToPath(asset('../gateway/web/app'));

/** Where the build puts the application: `assets/`, each file beside its compressed form, and the document of each page. */
const out = fileURLToPath(asset('gateway/web/app-built'));

/** Bundles the application in the browser: hashed names, one chunk a page and one for what pages share, everything compressed once. */
export async function bundleApp(): Promise<void> {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(join(out, 'assets'), { recursive: true });
  const { outputFiles, metafile } = await esbuild.build({
    entryPoints: [join(source, 'app.css'), ...places.map(({ file }) => pageOf(file))],
    outdir: join(out, 'assets'),
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    // The notice of the charts' licence is on the page "About".
    legalComments: 'none',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    plugins: [sharedFolders],
    metafile: true,
    write: false,
    absWorkingDir: out,
    logLevel: 'warning',
  });
  for (const { path, contents } of outputFiles) {
    writeFileSync(path, contents);
    writeFileSync(`${path}.gz`, gzipSync(contents, { level: 9 }));
  }
  for (const place of places)
    writeFileSync(join(out, `${place.file.replace('/', '-')}.html`), documentOf(place, metafile));
}

const pageOf = (file: string): string => join(source, 'pages', `${file}-page.tsx`);

/**
 * Lets each page take all of these files, that which starts the application among them. What is reached from the same pages comes in one
 * file, and else each set of pages that share a part would have a file of its own: twenty requests instead of two.
 */
const sharedFolders: Plugin = {
  name: 'shared folders',
  setup(build) {
    const files = ['client', 'live', 'parts', 'shell'].flatMap((folder) =>
      readdirSync(join(source, folder)).map((name) => join(folder, name)),
    );
    const imports = [...files, 'charts/lazy-charts.tsx', 'main.tsx']
      .map((file) => `import ${JSON.stringify(join(source, file))};`)
      .join('');
    build.onLoad({ filter: /-(page|chart)\.tsx$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8') + imports,
      loader: 'tsx',
    }));
  },
};

/** The document of a page: it names all files that the page is made of, and holds nothing of a user, so that one copy serves everybody. */
function documentOf({ file, hasChart, hasMarket }: Place, { outputs }: Metafile): string {
  const outputOf = (entry: string) =>
    Object.keys(outputs).find((path) => outputs[path].entryPoint?.endsWith(`app/${entry}`))!;
  const names = new Set<string>();
  const add = (path: string) => {
    if (names.has(path)) return;
    names.add(path);
    for (const { path: next, kind } of outputs[path].imports) if (kind === 'import-statement') add(next);
  };
  const script = outputOf(`pages/${file}-page.tsx`);
  add(script);
  if (hasChart) add(outputOf('charts/price-chart.tsx'));
  names.delete(script);
  const link = (path: string) => `/app/assets/${basename(path)}`;
  // The market is the same for everybody until another interval is chosen.
  const market = hasMarket ? ['/backend/market?interval=1d'] : [];
  return html`<!doctype html>
    <html lang="en">
      ${pageHead({
        title: 'Tidemark',
        style: link(outputOf('app.css')),
        script: link(script),
        modules: [...names].map(link),
        asked: ['/backend/session', ...market],
        isPrivate: true,
      })}
      <body>
        <div id="app"></div>
        <noscript>
          <main>
            <h1>Tidemark needs JavaScript here</h1>
            <p>
              Your <a href="/account">account</a> and the <a href="/docs">documentation</a> work without it.
            </p>
          </main>
        </noscript>
      </body>
    </html> `.text;
}
