import { webFile } from './web-file.js';

/** A style sheet of pages behind the colours and rules that the documentation and the pages of accounts share. */
export const styleSheet = (name: string): string => webFile('base.css') + webFile(name);
