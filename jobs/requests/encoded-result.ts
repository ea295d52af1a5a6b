/** A result as JSON: encoded once by the thread that computed it, passed on as it is, or parsed once, by the gateway. */
export class EncodedResult<Value> {
  readonly text: string;
  /** The type of the result. No such field exists at run time. */
  declare readonly value?: Value;

  constructor(text: string) {
    this.text = text;
  }
}
