/** A request that the exchange does not accept, with Binance's code and text. */
export class ExchangeRefusal extends Error {
  readonly status: number;
  readonly code: number;

  constructor(code: number, message: string, status = 400) {
    super(message);
    this.code = code;
    this.status = status;
  }
}
