const tokenName = 'tidemark-session';

/** How long the service may take to tell its state. An action, such as a retried job, may take longer. */
const longestReadMs = 10_000;

/** The session token, kept until the browser tab closes. */
export const sessionToken = {
  read: (): string | null => sessionStorage.getItem(tokenName),
  store: (token: string): void => sessionStorage.setItem(tokenName, token),
  clear: (): void => sessionStorage.removeItem(tokenName),
};

/** An error answer of the service, or one that is not JSON; status 0 if it does not answer. */
export class ServiceError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The payload of an answer to GET, or to POST if there is a body. Throws `ServiceError`. */
export async function callService<Payload>(path: string, body?: object): Promise<Payload> {
  const answer = await send(path, body).catch(() => {
    throw new ServiceError(0, 'the service does not answer');
  });
  const payload = await readPayload(answer);
  if (answer.ok) return payload as Payload;
  const { message } = payload as { message?: string };
  throw new ServiceError(answer.status, message ?? `status ${answer.status}`);
}

function send(path: string, body?: object): Promise<Response> {
  const token = sessionToken.read();
  return fetch(path, {
    method: body ? 'POST' : 'GET',
    headers: {
      ...(body ? { 'Content-Type': 'application/json' } : {}),
      ...(token === null ? {} : { 'session-token': token }),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
    cache: 'no-store',
    signal: body ? null : AbortSignal.timeout(longestReadMs),
  });
}

async function readPayload(answer: Response): Promise<unknown> {
  try {
    return ((await answer.json()) as { payload: unknown }).payload;
  } catch {
    throw new ServiceError(answer.status, 'the answer is not JSON');
  }
}
