import { byId } from './element.js';
import { callService } from './service.js';

export interface ServiceAction<Payload> {
  path: string;
  body: object;
  /** The element that tells how it went. */
  tellIn: string;
  /** What it acts on, as a message begins. */
  subject: string;
  done: (payload: Payload) => string;
}

/** Asks the service to do something, and tells how it went. Answers the payload, or null if it failed. */
export async function actAndTell<Payload>(action: ServiceAction<Payload>): Promise<Payload | null> {
  const { path, body, tellIn, subject, done } = action;
  const tell = (text: string, className = '') => {
    byId(tellIn).textContent = `${subject}: ${text}`;
    byId(tellIn).className = className;
  };
  tell('…');
  try {
    const payload = await callService<Payload>(path, body);
    tell(done(payload));
    return payload;
  } catch (error) {
    tell((error as Error).message, 'error');
    return null;
  }
}
