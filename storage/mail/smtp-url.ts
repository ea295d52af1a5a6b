/** A mail server and how it is spoken to. */
export interface SmtpServer {
  host: string;
  port: number;
  /** TLS from the first byte, as on port 465. */
  secure: boolean;
  /** STARTTLS is needed; without it nothing is sent. */
  requireTLS: boolean;
  auth?: { user: string; pass: string };
}

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Parses SMTP_URL: `smtps://user:password@host:port`, or `smtp://`, which needs STARTTLS. With `?tls=off`, or on the own
 * machine, `smtp://` sends without. Throws a RangeError that does not repeat the text.
 */
export function readSmtpUrl(text: string): SmtpServer {
  if (!URL.canParse(text))
    throw new RangeError('expected a URL as in smtps://user:password@mail.example.com');
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text);
  if (protocol !== 'smtp:' && protocol !== 'smtps:') throw new RangeError('expected smtp:// or smtps://');
  if (hostname === '' || !['', '/'].includes(pathname) || hash !== '')
    throw new RangeError('expected a host, and no path after it');
  const auth = { user: unescaped(username), pass: unescaped(password) };
  if ((auth.user === '') !== (auth.pass === ''))
    throw new RangeError('expected a user with a password, or neither');
  if (!['', '?tls=off'].includes(search)) throw new RangeError('expected no query but ?tls=off');
  const secure = protocol === 'smtps:';
  if (secure && search !== '') throw new RangeError('?tls=off is for smtp:// alone');
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: !secure && search === '' && !loopback.has(hostname),
    ...(auth.user === '' ? {} : { auth }),
  };
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new RangeError('expected a percent sign in the user or password to be written as %25');
  }
}
