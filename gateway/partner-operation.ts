import type { Caller, Deps } from './context.js';
import type { Operation, OperationResult } from './operation.js';
import type { Partner, PartnerKey } from '../storage/users/partners.js';

/** A partner that calls an operation, recognised by one of its keys. */
export interface PartnerCaller extends Omit<Caller, 'user'> {
  partner: Partner;
  key: PartnerKey;
}

/** One thing that partners can do. `input` describes what is sent; `read` checks it, rules between fields included. */
export interface PartnerOperation<Input, Output> extends Pick<
  Operation<object, Output>,
  'id' | 'summary' | 'output' | 'errors' | 'leadsTo'
> {
  /** The rate limit of the partner that its requests count against. */
  counts: 'signals' | 'commands';
  /** The schema of the request body, for the documentation. */
  input: Operation<object, Output>['input'];
  /** Reads the input from a request body; `path` holds the parameters of the path. Throws `invalid_input`. */
  read(given: Record<string, unknown>, path: Readonly<Record<string, string>>, deps: Deps): Input;
  handle(input: Input, deps: Deps, caller: PartnerCaller): Promise<OperationResult<Output>>;
}

export const definePartnerOperation = <Input, Output>(
  operation: PartnerOperation<Input, Output>,
): PartnerOperation<Input, Output> => operation;
