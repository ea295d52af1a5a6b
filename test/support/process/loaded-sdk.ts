import type { RoleChild } from './role-child.js';

/** For NODE_OPTIONS: the process tells at its end what it has loaded. */
export const tellLoaded = `--import=${new URL('../jobs/tell-loaded-main.js', import.meta.url).href}`;

/** The modules of the tracing SDK that a role had loaded at its end. The API alone does nothing, and prom-client loads it. */
export const loadedSdk = ({ log }: RoleChild): string[] =>
  (JSON.parse(/^loaded (.*)$/m.exec(log)![1]) as string[]).filter((path) =>
    /@opentelemetry\/(?!api\/)/.test(path),
  );
