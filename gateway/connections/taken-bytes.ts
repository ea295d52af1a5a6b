import type { Socket } from 'node:net';

/** The counters of a socket's handle, on which Node's own timeout of writes rests. */
interface WriteCounters {
  bytesWritten: number;
  writeQueueSize: number;
}

/**
 * Bytes written to a socket that the system has taken to send. The socket itself counts only whole writes, and an answer is
 * one write; its handle knows how much of one is left.
 */
export function takenBytes(socket: Socket): number {
  const { _handle: handle } = socket as unknown as { _handle?: Partial<WriteCounters> | null };
  const { bytesWritten, writeQueueSize } = handle ?? {};
  return bytesWritten === undefined || writeQueueSize === undefined
    ? socket.bytesWritten - socket.writableLength
    : bytesWritten - writeQueueSize;
}
