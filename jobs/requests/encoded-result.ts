/** A result as it travels: encoded once, where it was made, and decoded once, where it is read. */
export class EncodedResult<Value> {
  readonly text: string;
  /** What the text is of; nothing holds it. */
  declare readonly value?: Value;

  constructor(text: string) {
    this.text = text;
  }
}
