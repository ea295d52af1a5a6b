/** What programs need to run, to find their files and to reach the internet. */
const names = new Set(
  [
    'PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ TMPDIR TMP TEMP',
    'LD_LIBRARY_PATH DYLD_LIBRARY_PATH SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE',
    'CURL_CA_BUNDLE NODE_EXTRA_CA_CERTS HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY',
  ].flatMap((line) => line.split(' ')),
);

/**
 * The environment of a program that this process starts: a list of allowed names, because its own holds secrets such as
 * SECRETS_KEY and SMTP_URL. `prefixes` allow the program's own settings, such as `PIP_`.
 */
export const childEnvironment = (...prefixes: string[]): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) =>
        names.has(name.toUpperCase()) || ['LC_', ...prefixes].some((prefix) => name.startsWith(prefix)),
    ),
  );
