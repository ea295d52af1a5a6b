import type { ExchangeAnswer } from './fetch-whole.js';

/** Answers about limits are short; longer ones are data and are not parsed a second time. */
const mostCharacters = 4_096;

/** A field at the top of a short JSON answer as text; empty if there is none. Fields of nested objects are not searched. */
export function answerField({ body }: ExchangeAnswer, name: string): string {
  const text = body();
  if (text.length > mostCharacters) return '';
  try {
    const found = JSON.parse(text) as Record<string, unknown> | null;
    const value = found?.[name];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  } catch {
    return '';
  }
}
