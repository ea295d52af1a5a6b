import { outOfDiskSpace } from '../servers/mongo.js';
import { reservedBytes } from './full-disk.js';
import { mongodbRoles, mongodbUser } from './mongodb-ready.js';

/**
 * Outcomes of writes that SecantusDB keeps, so that a write whose answer was lost is not done again when the driver repeats it.
 * The driver does that at once. Each write looks through all of them, twice: with its own limit of 10,000 for half an hour,
 * writes took five times as long after some minutes.
 */
const keptWrites = 500;

/** Expired documents that are deleted in one transaction. Writers of the collection wait for a transaction. */
const expiredAtOnce = 100;

/** Commands that take room on the disk. */
const growingCommands = ['insert', 'update', 'findAndModify', 'findandmodify', 'create', 'createIndexes'];

/** Methods that write documents in one transaction. Each is repeated as a whole after a conflict, and then reads the options again. */
const portionsOfWrites = [
  '_insert_chunk',
  '_update_chunk',
  '_delete_chunk',
  '_update_matching_single_txn',
  '_delete_matching_single_txn',
];

/**
 * The Python program that runs SecantusDB. Before the server listens it stores the user in its data, with the password from
 * the file named by the first argument, and drops all other users: at no time does it answer without the password.
 *
 * SecantusDB reads the options of all indexes of a collection three times for each document that it writes: 40 % of the time of an
 * insert into a collection with ten indexes. Here a portion of writes, which locks the collection, reads them once. The oplog, which
 * only change streams read, is not written: a fifth of the time of updates.
 *
 * Each minute SecantusDB reads all documents of the collections whose documents expire, and deletes each expired one in a transaction
 * of its own, while the whole server waits: up to 24 s for 20,000. Here the index names the expired ones, and only their collection waits.
 *
 * WiredTiger panics when the disk is full, and each command fails from then on. Here commands that take room are refused before, and
 * a database that has panicked all the same ends: the service starts it again when there is room.
 */
export const secantusdbProgram = `
import datetime
import os
import sys
import threading
from secantus import server as wire_server, storage, transactions
from secantus.auth import SCRAM_SHA_256, derive_credentials
from secantus.cli import main
from secantus.server import SecantusDBServer

if not hasattr(transactions, "_RETRYABLE_RECORD_MAX"):
    raise SystemExit("this version of SecantusDB keeps the outcomes of writes in another way")
transactions._RETRYABLE_RECORD_MAX = ${keptWrites}

portion = threading.local()
read_index_options = storage.Storage._index_options_map

def index_options(self, db, collection):
    known = getattr(portion, "index_options", None)
    if known is None:
        return read_index_options(self, db, collection)
    if (db, collection) not in known:
        known[db, collection] = read_index_options(self, db, collection)
    return known[db, collection]

def reading_options_once(write):
    def write_portion(*args, **options):
        portion.index_options = {}
        try:
            return write(*args, **options)
        finally:
            portion.index_options = None
    write_portion.__name__ = write.__name__
    return write_portion

storage.Storage._index_options_map = index_options
for name in ${JSON.stringify(portionsOfWrites)}:
    write = getattr(storage.Storage, name).__wrapped__
    setattr(storage.Storage, name, storage._retry_write_conflicts(reading_options_once(write)))

prune_ttl = storage.Storage.prune_ttl

def delete_expired(self, db, collection, *, now=None):
    now = now or datetime.datetime.now(datetime.timezone.utc)
    deleted = 0
    for _, keys, options in list(self._iter_indexes(db, collection)):
        if "expireAfterSeconds" not in options:
            continue
        before = now - datetime.timedelta(seconds=options["expireAfterSeconds"])
        expired = {field: {"$lt": before} for field in keys}
        self._refresh_read_snapshot()
        records = self._try_index_id_keys(db, collection, expired)
        if records is None or "partialFilterExpression" in options:
            return prune_ttl(self, db, collection, now=now)
        while records:
            with self._coll_lock(db, collection):
                done, count = self._delete_chunk(
                    db, collection, records[:${expiredAtOnce}], expired, let=None, collation_obj=None, journal=False)
            records = records[done:]
            deleted += count
    self.release_thread_snapshot()
    return deleted

storage.Storage.prune_ttl = delete_expired

password_file = sys.argv.pop(1)
data_folder = sys.argv[sys.argv.index("--storage-path") + 1]
run_command = wire_server.dispatch

def free_bytes():
    disk = os.statvfs(data_folder)
    return disk.f_bavail * disk.f_frsize

def has_panicked(stored):
    try:
        stored.list_users(limit=1)
        return False
    except Exception as error:
        return "panic" in str(error).lower()

def dispatch(command, context):
    if next(iter(command), "") in ${JSON.stringify(growingCommands)} and free_bytes() < ${reservedBytes}:
        return {"ok": 0.0, "code": ${outOfDiskSpace}, "codeName": "OutOfDiskSpace", "errmsg": "No space left on device"}
    answer = run_command(command, context)
    if answer.get("codeName") == "InternalError" and has_panicked(context.storage):
        os._exit(70)
    return answer

wire_server.dispatch = dispatch
listen = SecantusDBServer.start

def set_user(stored):
    for user in stored.list_users(limit=1000):
        stored.drop_user(user["db"], user["user"])
    with open(password_file) as file:
        password = file.read().strip()
    credentials = derive_credentials(password, mechanism=SCRAM_SHA_256, username="${mongodbUser}")
    stored.add_user("admin", "${mongodbUser}", {
        "_id": "admin.${mongodbUser}", "user": "${mongodbUser}", "db": "admin",
        "credentials": credentials.to_doc(), "mechanisms": [SCRAM_SHA_256],
        "roles": [{"role": role, "db": "admin"} for role in ${JSON.stringify(mongodbRoles)}],
    }, replace=True)

def start(server):
    if not server.require_auth:
        raise SystemExit("SecantusDB runs without access control")
    set_user(server.storage)
    server.storage.enable_oplog = False
    listen(server)

SecantusDBServer.start = start
sys.exit(main())
`;
