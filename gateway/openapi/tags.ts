/** Groups of the document: the first prefix that fits decides. */
const groups = [
  ['/backend/core-line', 'Indicator', 'Trend states of the core line, and scenario analysis.'],
  ['/backend/analysis', 'Analysis', 'Readings of one asset, of several, and of the whole market.'],
  ['/backend/assistant', 'Assistant', 'Questions in plain words.'],
  ['/backend/login', 'Account', 'Signing in, sessions and passwords.'],
  ['/backend/signup', 'Account', ''],
  ['/backend/logout', 'Account', ''],
  ['/backend/sessions', 'Account', ''],
  ['/backend/password', 'Account', ''],
  ['/backend', 'Portfolio', 'Connected exchanges, positions and watchlists.'],
  ['/operator', 'Operator', 'The state of the service, for those who run it.'],
  ['/v3/ai', 'Price and risk', 'Signed requests, bare answers.'],
  ['/', 'Service', 'Health and this description.'],
] as const;

export const tagOf = (path: string): string => groups.find(([prefix]) => path.startsWith(prefix))![1];

/** Those groups that have a path. */
export function tagsOf(paths: readonly string[]): { name: string; description: string }[] {
  const used = new Set(paths.map(tagOf));
  return groups
    .filter(([, name, description]) => description !== '' && used.has(name))
    .map(([, name, description]) => ({ name, description }));
}
