import type { IncomingMessage } from 'node:http';
import type { ParserError } from '../answers/protocol-errors.js';

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

  /** Notes a packet that is parsed. */
  note(packet: Buffer): void {
    let from = 0;
    if (this.#request !== null) {
      const { complete, headers } = this.#request;
      // An empty line ends the head, and the last chunk, too. Cut in two by packets it is missed by two letters of a method.
      if (this.#isNew || (complete && headers['transfer-encoding'] !== undefined)) {
        const length = this.#isNew ? Number(headers['content-length'] ?? 0) : 0;
        this.#bodyLeft = packet.lastIndexOf('\r\n\r\n') + 4 + length;
      }
      from = this.#bodyLeft;
      this.#bodyLeft -= packet.length;
      this.#isNew = false;
      this.#text = '';
      if (!complete) return;
      this.#request = null;
    }
    if (this.#text.length >= mostChars || from >= packet.length) return;
    const more = packet.toString('latin1', from, from + mostChars);
    this.#text = (this.#text + more).trimStart().slice(0, mostChars);
  }

  /** The path of the request in which the parser found a fault, or whose time is up; '/' if the bytes are no request line. */
  path({ rawPacket, bytesParsed }: ParserError): string {
    if (rawPacket) this.note(rawPacket.subarray(0, bytesParsed));
    return this.#request?.url ?? requestLine.exec(this.#text)?.[1] ?? '/';
  }
}
