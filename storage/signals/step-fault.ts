/** Why the last step of a row failed. */
export interface StepFault {
  message: string;
  /** How often in a row. */
  count: number;
  at: Date;
}

/** Steps that may fail in a row: then the row is left to the operator, who can let it be tried again. */
export const mostFaults = 8;

/** When a row is due that is left to the operator. It is found by this, without an index of its own. */
export const dueNever = new Date(Date.UTC(9999, 0, 1));
