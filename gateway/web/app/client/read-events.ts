interface ServerEvent {
  /** Empty where the service gave none. */
  id: string;
  name: string;
  data: unknown;
  /** After how long to come back, where it is said. */
  retryMs: number | null;
}

/** The server-sent events of an answer, as they come. Comments are left out. */
export async function* readEvents(response: Response): AsyncGenerator<ServerEvent> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value;
    const blocks = text.split('\n\n');
    text = blocks.pop()!;
    for (const block of blocks) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
      const [id = '', name = '', data = 'null', retry] = ['id', 'event', 'data', 'retry'].map(field);
      if (id === '' && name === '' && retry === undefined) continue;
      yield { id, name, data: JSON.parse(data) as unknown, retryMs: Number(retry) || null };
    }
  }
}
