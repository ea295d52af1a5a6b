/** The address of the service in the example files. */
export const exampleBase = 'http://127.0.0.1:3000';
