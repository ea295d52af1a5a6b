/** The address of a file in dist that is no code, named by its path in the sources. `npm run build` copies them there. */
export const asset = (path: string): URL => new URL(`../../${path}`, import.meta.url);
