/** A string of V8 holds no more; 600,000 candles are 40 million. */
const mostChars = 400_000_000;

const rowsAtOnce = 2_000;

/**
 * Lines of CSV made of a JSON list of lists, as freqtrade stores candles: [[time, open, high, low, close, volume], ...]. Throws an
 * `Error` for another JSON.
 */
export async function* jsonLines(texts: AsyncIterable<string>): AsyncGenerator<string> {
  const parts: string[] = [];
  let chars = 0;
  for await (const text of texts) {
    chars += text.length;
    if (chars > mostChars) throw new Error(`it is JSON of more than ${mostChars} characters`);
    parts.push(text);
  }
  const rows = parse(parts.join(''));
  for (let from = 0; from < rows.length; from += rowsAtOnce)
    yield rows
      .slice(from, from + rowsAtOnce)
      .map((row) => `${Array.isArray(row) ? row.map(cell).join() : ''}\n`)
      .join('');
}

function parse(text: string): unknown[] {
  let rows: unknown;
  try {
    rows = JSON.parse(text);
  } catch (error) {
    throw new Error(`its JSON is broken: ${(error as Error).message.slice(0, 200)}`, { cause: error });
  }
  if (Array.isArray(rows) && (rows.length === 0 || Array.isArray(rows[0]))) return rows;
  throw new Error('its JSON is no list of candles; expected [[time, open, high, low, close, volume], ...]');
}

/** A number as text; what is none becomes a cell without a number. */
const cell = (value: unknown): string =>
  typeof value === 'number' || (typeof value === 'string' && /^[\w.+-]+$/.test(value)) ? String(value) : '?';
