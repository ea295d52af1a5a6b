import { parse, type Parser } from 'csv-parse';

/** A record of a CSV file, and the number of the line that it begins in, from 1. */
export interface CsvRecord {
  line: number;
  cells: string[];
}

/** An unclosed quote would otherwise read the rest of the file into one record. */
const maxRecordChars = 65_536;

/**
 * Cuts the text of a CSV file into records, piece by piece. Lines without quotes are cut at the delimiter, which is several
 * times as fast as a parser; from the first quote on, csv-parse reads the rest of the file.
 */
export class CsvRecords {
  readonly #delimiter: string;
  #line = 1;
  /** The start of a line whose end is not read yet. */
  #unfinished = '';
  #parser: Parser | undefined;

  constructor(delimiter: string) {
    this.#delimiter = delimiter;
  }

  /** Why the rest of the file cannot be read: a line without an end, or a quote that is not closed. */
  get fault(): string | undefined {
    if (this.#parser?.errored) return `a quote is opened in line ${this.#line} and not closed`;
    return this.#unfinished.length > maxRecordChars ? `line ${this.#line} has no end` : undefined;
  }

  /** The records that end in this piece. Nothing may follow a fault. */
  push(text: string): CsvRecord[] {
    if (this.#parser) return this.#parse(text);
    const whole = this.#unfinished + text;
    const quote = whole.indexOf('"');
    if (quote !== -1) return this.#pushQuoted(whole, quote);
    const end = endOfLines(whole);
    this.#unfinished = whole.slice(end);
    return this.#split(whole.slice(0, end));
  }

  end(): CsvRecord[] {
    if (!this.#parser) return this.#unfinished === '' ? [] : this.#split(`${this.#unfinished}\n`);
    this.#parser.end();
    return this.#read();
  }

  close(): void {
    this.#parser?.destroy();
  }

  /** Splits the lines before the quote at the delimiter, and gives the line of the quote and all that follows to the parser. */
  #pushQuoted(text: string, quote: number): CsvRecord[] {
    const start = 1 + Math.max(text.lastIndexOf('\n', quote), text.lastIndexOf('\r', quote));
    const before = this.#split(text.slice(0, start));
    this.#unfinished = '';
    this.#parser = parse({
      delimiter: this.#delimiter,
      max_record_size: maxRecordChars,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      // A quote inside an unquoted cell belongs to the cell: that line is refused, not the file.
      relax_quotes: true,
    });
    // `fault` reports the error.
    this.#parser.on('error', () => undefined);
    return [...before, ...this.#parse(text.slice(start))];
  }

  /** The records of whole lines without quotes. */
  #split(text: string): CsvRecord[] {
    if (text === '') return [];
    const lines = text.includes('\r') ? text.split(/\r\n|\n|\r/) : text.split('\n');
    // The text after the last line break is empty.
    lines.pop();
    const records = lines.map((line, i) => ({ line: this.#line + i, cells: line.split(this.#delimiter) }));
    this.#line += lines.length;
    return records;
  }

  #parse(text: string): CsvRecord[] {
    this.#parser!.write(text);
    return this.#read();
  }

  /** The records that the parser has ready, including those before an error. */
  #read(): CsvRecord[] {
    const parser = this.#parser!;
    const records: CsvRecord[] = [];
    for (let cells: unknown = parser.read(); cells !== null; cells = parser.read()) {
      records.push({ line: this.#line, cells: cells as string[] });
      this.#line += 1 + lineBreaksIn(cells as string[]);
    }
    return records;
  }
}

/** The index after the last end of a line. A carriage return at the very end may be half of one. */
function endOfLines(text: string): number {
  const lineFeed = text.lastIndexOf('\n');
  if (lineFeed !== -1) return lineFeed + 1;
  return text.lastIndexOf('\r', text.length - 2) + 1;
}

/** Quoted cells may contain line breaks. */
function lineBreaksIn(cells: readonly string[]): number {
  let breaks = 0;
  for (const cell of cells) if (/[\r\n]/.test(cell)) breaks += cell.split(/\r\n|\n|\r/).length - 1;
  return breaks;
}
