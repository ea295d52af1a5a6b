import { intents } from '../intents.js';
import { Recogniser } from './recogniser.js';

let made: Recogniser | undefined;

/** The recogniser of all intents; made at first use, which takes a few hundred milliseconds. */
export const recogniser = (): Recogniser => (made ??= new Recogniser(intents));
