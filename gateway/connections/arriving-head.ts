import type { IncomingMessage } from 'node:http';
import type { ParserError } from '../answers/refusal.js';

/** So much of a head tells which API it asks. */
const mostChars = 128;
/** The target in origin form, or the path of one in absolute form. */
const requestLine = /^[A-Z-]+ (?:https?:\/\/[^/?#\s]*)?(\/\S*)/i;

/**
 * Which path the bytes ask for that arrive on a connection. Node shows a request once its head is whole; of one that is refused
 * before that, it shows the packet with the fault alone. So the beginning of a head that comes in several packets is kept here.
 */
export class ArrivingHead {
  /** The request whose body is arriving, or whose head ends in the packet that is being parsed; null once it is whole. */
  #request: IncomingMessage | null = null;
  #isNew = false;
  /** How many bytes after the last packet its body ends. */
  #bodyLeft = 0;
  /** The beginning of the head after it. */
  #text = '';

  /** Notes a request whose head is whole. */
  begin(request: IncomingMessage): void {
    this.#request = request;
    this.#isNew = true;
  }

  /** Notes a packet that is parsed. One that was a whole request, as most are, is not looked at. */
  note(size: number, read: () => Buffer): void {
    const request = this.#request;
    let from = 0;
    if (request !== null) {
      const { complete } = request;
      from = this.#isNew && size === usualSize(request) ? size : this.#endIn(read, request);
      this.#bodyLeft = from - size;
      this.#isNew = false;
      this.#text = '';
      if (!complete) return;
      this.#request = null;
    }
    if (this.#text.length >= mostChars || from >= size) return;
    const more = read().toString('latin1', from, from + mostChars);
    this.#text = (this.#text + more).trimStart().slice(0, mostChars);
  }

  /** Where in the packet the request ends, or how long after it. */
  #endIn(read: () => Buffer, { complete, headers }: IncomingMessage): number {
    if (!this.#isNew && (!complete || headers['transfer-encoding'] === undefined)) return this.#bodyLeft;
    // An empty line ends the head, and the last chunk, too. Cut in two by packets it is missed by two letters of a method.
    const end = read().lastIndexOf('\r\n\r\n') + 4;
    return this.#isNew ? end + bodySize(headers) : end;
  }

  /** The path of the request in which the parser found a fault, or whose time is up; '/' if the bytes are no request line. */
  path({ rawPacket, bytesParsed }: ParserError): string {
    const packet = rawPacket?.subarray(0, bytesParsed);
    if (packet) this.note(packet.length, () => packet);
    return this.#request?.url ?? requestLine.exec(this.#text)?.[1] ?? '/';
  }
}

const bodySize = ({ 'content-length': length }: IncomingMessage['headers']): number => Number(length ?? 0);

/** The size of a request as clients write it: a space after each colon. */
function usualSize({ method = '', url = '', rawHeaders, headers }: IncomingMessage): number {
  let size = `${method} ${url} HTTP/1.1\r\n\r\n`.length + bodySize(headers);
  // Names are followed by a colon and a space, values by the end of the line.
  for (const text of rawHeaders) size += text.length + 2;
  return size;
}
