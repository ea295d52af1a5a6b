/** What the paper exchange takes as a client order id. */
export const clientOrderIdPattern = /^[a-z0-9]{1,36}$/;
