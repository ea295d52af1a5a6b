/** The body of a request that is refused once it is understood. */
export const refusedBody = '{"asset":"NOPE"}';

/** The beginning of a request with a JSON body; its length and an empty line are missing. */
export const headAt = (at: string) => `POST ${at} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;

/** Requests byte by byte, by what is wrong with them, and the status they are answered with. */
type Rows = Record<string, [status: number, request: string]>;

/** Requests that HTTP itself forbids: one answer, and the connection ends. */
export function forbiddenAt(at: string): Rows {
  const head = headAt(at);
  const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n`;
  return {
    'two different Content-Length': [
      400,
      `${head}Content-Length: 16\r\nContent-Length: 17\r\n\r\n${refusedBody}`,
    ],
    'the same Content-Length twice': [
      400,
      `${head}Content-Length: 16\r\nContent-Length: 16\r\n\r\n${refusedBody}`,
    ],
    'Content-Length: 16, 16': [400, `${head}Content-Length: 16, 16\r\n\r\n${refusedBody}`],
    'Content-Length: -1': [400, `${head}Content-Length: -1\r\n\r\n${refusedBody}`],
    'Content-Length: +16': [400, `${head}Content-Length: +16\r\n\r\n${refusedBody}`],
    'Content-Length: 1e1': [400, `${head}Content-Length: 1e1\r\n\r\n${refusedBody}`],
    'a Content-Length of 30 digits': [400, `${head}Content-Length: ${'9'.repeat(30)}\r\n\r\n${refusedBody}`],
    'Content-Length and Transfer-Encoding': [
      400,
      `${head}Content-Length: 16\r\nTransfer-Encoding: chunked\r\n\r\n10\r\n${refusedBody}\r\n0\r\n\r\n`,
    ],
    'Transfer-Encoding and Content-Length': [
      400,
      `${head}Transfer-Encoding: chunked\r\nContent-Length: 16\r\n\r\n10\r\n${refusedBody}\r\n0\r\n\r\n`,
    ],
    'Transfer-Encoding: xchunked': [
      400,
      `${head}Transfer-Encoding: xchunked\r\n\r\n10\r\n${refusedBody}\r\n0\r\n\r\n`,
    ],
    'Transfer-Encoding: chunked, identity': [
      400,
      `${head}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
    ],
    'Transfer-Encoding: chunked twice': [
      400,
      `${head}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    'a space before the colon': [400, `${head}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`],
    'a chunk size that is no number': [400, `${chunked}zz\r\n${refusedBody}\r\n0\r\n\r\n`],
    'a chunk longer than it says': [400, `${chunked}2\r\n${refusedBody}\r\n0\r\n\r\n`],
    'a chunk size of 30 digits': [400, `${chunked}${'f'.repeat(30)}\r\n`],
    'a flood of chunk extensions': [400, `${chunked}1;${'a=b;'.repeat(20_000)}\r\n{\r\n`],
    'a header of 20 kB': [431, `${head}X: ${'a'.repeat(20_000)}\r\n\r\n`],
    'a URL of 20 kB': [431, `GET ${at}?${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
    'NUL in a header': [400, `${head}X: a\0b\r\n\r\n`],
    'a folded header': [400, `${head}X: a\r\n b: c\r\nContent-Length: 0\r\n\r\n`],
    'a header without a colon': [400, `${head}nonsense\r\n\r\n`],
    'lines that end with LF alone': [400, `GET ${at} HTTP/1.1\nHost: x\n\n`],
    'HTTP/1.2': [505, `GET ${at} HTTP/1.2\r\nHost: x\r\n\r\n`],
    'HTTP/9.9': [505, `GET ${at} HTTP/9.9\r\nHost: x\r\n\r\n`],
  };
}

/** Bytes that ask for no path at all. */
export const nonsense: Rows = {
  'a method that is none': [400, 'FROB /healthz HTTP/1.1\r\nHost: x\r\n\r\n'],
  'no HTTP at all': [400, 'nonsense\r\n\r\n'],
  'a TLS hello': [400, '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
  'the beginning of HTTP/2': [505, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
};

/** Requests that Node's parser takes and this service does not. */
export function refusedAt(at: string): Rows {
  const get = (line: string, lines = 'Host: x\r\n') =>
    `${line} HTTP/1.1\r\n${lines}Connection: close\r\n\r\n`;
  const flood = Array.from({ length: 1_200 }, (_, n) => `a${n}: 1\r\n`).join('');
  return {
    'no Host': [400, get(`GET ${at}`, '')],
    'two Host headers': [400, get(`GET ${at}`, 'Host: a\r\nHost: b\r\n')],
    'the same Host twice': [400, get(`GET ${at}`, 'Host: a\r\nHost: a\r\n')],
    'a Host that names two': [400, get(`GET ${at}`, 'Host: a, b\r\n')],
    'a Host with a path': [400, get(`GET ${at}`, 'Host: a b@c/\r\n')],
    'a Host with a port that is none': [400, get(`GET ${at}`, 'Host: x:http\r\n')],
    'Transfer-Encoding: gzip, chunked': [
      400,
      `${headAt(at)}Transfer-Encoding: gzip, chunked\r\nConnection: close\r\n\r\n0\r\n\r\n`,
    ],
    'chunks in HTTP/1.0': [
      400,
      `${headAt(at).replace('1.1', '1.0')}Transfer-Encoding: chunked\r\n\r\n10\r\n${refusedBody}\r\n0\r\n\r\n`,
    ],
    'the address of another host': [400, get(`GET http://other${at}`)],
    'the address of another host over TLS': [400, get(`GET https://other${at}`)],
    '1,200 headers': [431, get(`GET ${at}`, `Host: x\r\n${flood}`)],
    'an expectation nobody knows': [417, get(`GET ${at}`, 'Host: x\r\nExpect: junk\r\n')],
    'an expectation before a body': [417, `${headAt(at)}Expect: junk\r\nContent-Length: 2\r\n\r\n{}`],
    TRACE: [405, get(`TRACE ${at}`)],
    PROPFIND: [405, get(`PROPFIND ${at}`)],
  };
}

/** Paths that lead elsewhere once somebody tidies them up. */
export const oddPaths = [
  ...['/v3/ai/../../etc', '/v3/ai/%2e%2e/%2e%2e/etc', '/v3/ai/..%2f..%2fetc', '/v3/ai/./get_price'],
  ...['/v3/ai/%00', '/v3/ai/get_price%00', '/v3/ai/%zz', '/v3/ai//get_price', '/v3/ai/get_price;x'],
  ...['//backend/login', '//v3/ai/get_price', '//evil.example/healthz', '/\\evil.example', '/./healthz'],
  ...['/x/../healthz', '/backend/../v3/ai/get_price', '/backend/%2e%2e/healthz', '/backend\\login'],
  ...['/backend/%00', '/backend/login%00', '/backend/%zz', '/%76%33/ai/get_price', '/backend/login;x'],
];
