import { fileURLToPath } from 'node:url';

/** The project's folder, seen from the compiled tests. */
export const projectRoot = fileURLToPath(new URL('../../../../', import.meta.url));
