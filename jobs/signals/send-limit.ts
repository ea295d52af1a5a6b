/** Orders are sent within this time after they were written, or not by this worker: others count them as lost by then. */
export const sendWithinMs = 10_000;
