import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, type Metafile } from 'esbuild';
import { asset } from '../../../storage/process/asset.js';
import { html } from '../html.js';

/** Where the build puts the application: `assets/`, each file beside its compressed form, and the document that loads them. */
const out = fileURLToPath(asset('gateway/web/app-built'));

/** Bundles the application in the browser: hashed names, one chunk a page, everything compressed once. */
export async function bundleApp(): Promise<void> {
  const source = fileURLToPath(asset('../gateway/web/app'));
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const { outputFiles, metafile } = await build({
    entryPoints: { app: join(source, 'main.tsx'), style: join(source, 'app.css') },
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
    metafile: true,
    write: false,
    absWorkingDir: out,
    logLevel: 'warning',
  });
  mkdirSync(join(out, 'assets'), { recursive: true });
  for (const { path, contents } of outputFiles) {
    writeFileSync(path, contents);
    writeFileSync(`${path}.gz`, gzipSync(contents, { level: 9 }));
  }
  writeFileSync(join(out, 'app.html'), shellOf(metafile));
}

/** The document of the application: it holds nothing of a user, so that one copy serves everybody. */
function shellOf({ outputs }: Metafile): string {
  const entry = (end: string) =>
    Object.entries(outputs).find(
      ([path, { entryPoint }]) =>
        entryPoint !== undefined && new RegExp(`/(app|style)-\\w+\\.${end}$`).test(path),
    )!;
  const path = (name: string) => `/app/assets/${basename(name)}`;
  const [script, { imports }] = entry('js');
  const [style] = entry('css');
  const preloads = imports
    .filter(({ kind }) => kind === 'import-statement')
    .map((each) => html`<link rel="modulepreload" href="${path(each.path)}" />`);
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>Tidemark</title>
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="${path(style)}" />
        ${preloads}
        <script type="module" src="${path(script)}"></script>
      </head>
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
