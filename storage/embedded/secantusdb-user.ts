import { newMongodbPassword, readMongodbPassword, storeMongodbPassword } from './mongodb-password.js';
import { mongodbRoles, mongodbUser } from './mongodb-ready.js';

/** The password of the service's user, from `file`; stored there with the first call. */
export async function secantusdbPassword(file: string): Promise<string> {
  if ((await readMongodbPassword(file)) === undefined) await storeMongodbPassword(file, newMongodbPassword());
  return (await readMongodbPassword(file))!;
}

/**
 * Outcomes of writes that SecantusDB keeps, so that a write whose answer was lost is not done again when the driver repeats it.
 * The driver does that at once. Each write looks through all of them, twice: with its own limit of 10,000 for half an hour,
 * writes took five times as long after some minutes.
 */
const keptWrites = 500;

/**
 * The Python program that runs SecantusDB. Before the server listens it stores the user in its data, with the password from
 * the file named by the first argument, and drops all other users: at no time does it answer without the password.
 */
export const secantusdbProgram = `
import sys
from secantus import transactions
from secantus.auth import SCRAM_SHA_256, derive_credentials
from secantus.cli import main
from secantus.server import SecantusDBServer

if not hasattr(transactions, "_RETRYABLE_RECORD_MAX"):
    raise SystemExit("this version of SecantusDB keeps the outcomes of writes in another way")
transactions._RETRYABLE_RECORD_MAX = ${keptWrites}

password_file = sys.argv.pop(1)
listen = SecantusDBServer.start

def set_user(storage):
    for user in storage.list_users(limit=1000):
        storage.drop_user(user["db"], user["user"])
    with open(password_file) as file:
        password = file.read().strip()
    credentials = derive_credentials(password, mechanism=SCRAM_SHA_256, username="${mongodbUser}")
    storage.add_user("admin", "${mongodbUser}", {
        "_id": "admin.${mongodbUser}", "user": "${mongodbUser}", "db": "admin",
        "credentials": credentials.to_doc(), "mechanisms": [SCRAM_SHA_256],
        "roles": [{"role": role, "db": "admin"} for role in ${JSON.stringify(mongodbRoles)}],
    }, replace=True)

def start(server):
    if not server.require_auth:
        raise SystemExit("SecantusDB runs without access control")
    set_user(server.storage)
    listen(server)

SecantusDBServer.start = start
sys.exit(main())
`;
