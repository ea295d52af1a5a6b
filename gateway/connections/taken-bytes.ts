import type { Socket } from 'node:net';

/** The counters of a socket's handle, which Node's own write timeout uses. */
interface WriteCounters {
  bytesWritten: number;
  writeQueueSize: number;
}

/**
 * The bytes that the system has taken from a socket to send. The socket itself counts only whole writes, and an answer is one
 * write. Its handle knows how much of a write is left.
 */
export function takenBytes(socket: Socket): number {
  const { _handle: handle } = socket as unknown as { _handle?: Partial<WriteCounters> | null };
  const { bytesWritten, writeQueueSize } = handle ?? {};
  return bytesWritten === undefined || writeQueueSize === undefined
    ? socket.bytesWritten - socket.writableLength
    : bytesWritten - writeQueueSize;
}
