/** The address of a file in dist that is no code, named by its path in the sources. `npm run build` copies them there. */
export const asset = (path: string): URL => new URL(`../../${path}`, import.meta.url);

/** The address of a module of dist with all that it imports in few files, as `npm run build` makes them for what processes begin with. */
export const bundleOf = (module: string): URL => asset(`jobs/bundled/${module.replaceAll('/', '-')}.js`);
