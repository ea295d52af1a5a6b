/** Browsers by what their User-Agent contains; the first that fits, since each names others as well. */
const browsers: readonly [name: string, version: RegExp][] = [
  ['Edge', /\bEdg\/(\d+)/],
  ['Opera', /\bOPR\/(\d+)/],
  ['Firefox', /\bFirefox\/(\d+)/],
  ['Chrome', /\b(?:Headless)?Chrome\/(\d+)/],
  ['Safari', /\bVersion\/(\d+)[\d.]* .*Safari\//],
];

const systems: readonly [name: string, sign: RegExp][] = [
  ['Android', /Android/],
  ['iOS', /iPhone|iPad/],
  ['Windows', /Windows/],
  ['macOS', /Macintosh/],
  ['Linux', /Linux|X11/],
];

/** A User-Agent in a few words: `Firefox 147 on Linux`; what is no known browser stays as it is, shortened. */
export function clientWords(client: string): string {
  if (!client.startsWith('Mozilla/')) return client.length > 60 ? `${client.slice(0, 60)}…` : client;
  const system = systems.find(([, sign]) => sign.test(client))?.[0] ?? 'an unknown system';
  for (const [name, pattern] of browsers) {
    const version = pattern.exec(client)?.[1];
    if (version !== undefined) return `${name} ${version} on ${system}`;
  }
  return `a browser on ${system}`;
}
