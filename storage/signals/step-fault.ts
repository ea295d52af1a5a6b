/** Why the last step of a row failed. */
export interface StepFault {
  message: string;
  /** How often in a row. */
  count: number;
  at: Date;
}

/** Steps that may fail in a row: then the row is left to the operator, who can let it be tried again. */
export const mostFaults = 8;

/** The due time of rows that are left to the operator. The index on `dueAt` finds them by it. */
export const dueNever = new Date(Date.UTC(9999, 0, 1));
