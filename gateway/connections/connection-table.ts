import type { ClientConnection } from './client-connection.js';

export interface ConnectionCaps {
  /** Connections in all. */
  most: number;
  mostOfNetwork: number;
}

interface Network {
  open: number;
  /** The connections without a request, longest idle first. */
  idle: Set<ClientConnection>;
}

/**
 * The open connections of a gateway. If the cap is reached, in all or of one network, a new connection replaces the one that has
 * been idle for longest.
 */
export class ConnectionTable {
  readonly #caps: ConnectionCaps;
  readonly #networks = new Map<string, Network>();
  readonly #networkOf = new Map<ClientConnection, string>();
  readonly #idle = new Set<ClientConnection>();

  constructor(caps: ConnectionCaps) {
    this.#caps = caps;
  }

  /** Adds a connection, which is idle at first. False if a cap is reached and no connection is idle. */
  add(connection: ClientConnection, networkName: string): boolean {
    const network = this.#networks.get(networkName) ?? { open: 0, idle: new Set() };
    const { most, mostOfNetwork } = this.#caps;
    if (network.open >= mostOfNetwork && !this.#closeOldest(network.idle)) return false;
    if (this.#networkOf.size >= most && !this.#closeOldest(this.#idle)) return false;
    // Closing the oldest connection may have removed the entry of its network, so it is set again.
    this.#networks.set(networkName, network);
    network.open++;
    this.#networkOf.set(connection, networkName);
    this.markIdle(connection);
    return true;
  }

  all(): Iterable<ClientConnection> {
    return this.#networkOf.keys();
  }

  remove(connection: ClientConnection): void {
    const name = this.#networkOf.get(connection);
    if (name === undefined) return;
    this.markBusy(connection);
    this.#networkOf.delete(connection);
    const network = this.#networks.get(name)!;
    if (--network.open === 0) this.#networks.delete(name);
  }

  markBusy(connection: ClientConnection): void {
    this.#idle.delete(connection);
    this.#networkFor(connection)?.idle.delete(connection);
  }

  markIdle(connection: ClientConnection): void {
    const network = this.#networkFor(connection);
    if (!network) return;
    this.#idle.add(connection);
    network.idle.add(connection);
  }

  #networkFor(connection: ClientConnection): Network | undefined {
    return this.#networks.get(this.#networkOf.get(connection) ?? '');
  }

  #closeOldest(idle: ReadonlySet<ClientConnection>): boolean {
    const [oldest] = idle;
    if (!oldest) return false;
    this.remove(oldest);
    oldest.close();
    return true;
  }
}
