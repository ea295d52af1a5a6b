/** The payload of an operation. */
export type OutputOf<Operation extends { handle: (...input: never[]) => Promise<{ payload: object }> }> =
  Awaited<ReturnType<Operation['handle']>>['payload'];
