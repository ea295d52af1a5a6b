import { newMongodbPassword, readMongodbPassword, storeMongodbPassword } from './mongodb-password.js';

/** The password of the service's user, from `file`; stored there with the first call. */
export async function secantusdbPassword(file: string): Promise<string> {
  if ((await readMongodbPassword(file)) === undefined) await storeMongodbPassword(file, newMongodbPassword());
  return (await readMongodbPassword(file))!;
}
