/** Names of fields whose values are secrets. */
const secretName =
  /pass(?:word|phrase)|token|secret|api_?key|private_?key|authori[sz]ation|cookie|credential/i;

const hidden = '[redacted]';

const named = `(?:${secretName.source})\\w{0,20}\\\\?["']?\\s{0,3}[=:]\\s{0,3}`;

const secretsInText: [pattern: RegExp, safe: string][] = [
  // Credentials in a URL, as in mongodb://user:password@host.
  [/\/\/[^\s/@]+@/g, `//${hidden}@`],
  [/(\bbearer\s{1,3})[^\s"',;}]+/gi, `$1${hidden}`],
  // Tokens and codes of this service by their form.
  [/\b(?:pat_[0-9a-f]{64}|o(?:ac|at|rt)_[A-Za-z0-9_-]{43})/g, hidden],
  // The value after the name of a secret: in quotes, as in "password": "…", or without, as in token=… or Authorization: Basic ….
  [new RegExp(`(${named}(\\\\?["']))(?:(?!\\2)[^\n]){1,500}(?=\\2)`, 'gi'), `$1${hidden}`],
  [
    new RegExp(
      `(${named}(?!\\\\?["']?\\[redacted)\\\\?["']?)(?:(?:basic|bearer|digest) {1,3})?[^\\s"',;}]+`,
      'gi',
    ),
    `$1${hidden}`,
  ],
];

/** The text with everything that looks like a secret replaced by `[redacted]`. */
export const textWithoutSecrets = (text: string): string =>
  secretsInText.reduce((safe, [pattern, replacement]) => safe.replace(pattern, replacement), text);

/** Plain data with its secrets redacted; `changed` says whether there were any. */
export function dataWithoutSecrets(data: unknown): { data: unknown; changed: boolean } {
  let changed = false;
  const hide = (value: unknown): unknown => {
    if (typeof value === 'string') {
      const safe = textWithoutSecrets(value);
      changed ||= safe !== value;
      return safe;
    }
    if (Array.isArray(value)) return value.map(hide);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => {
        if (!secretName.test(name)) return [name, hide(inner)];
        changed = true;
        return [name, hidden];
      }),
    );
  };
  return { data: hide(data), changed };
}
