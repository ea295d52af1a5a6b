/** What `npm run admin` tells of its commands. */
export const usage = `commands:
  npm run admin -- candles import --pair BTC/USDT --interval 1h --file F.csv.gz [--json]
      stores the 1h candles of a CSV file (gzipped or not); serve them with MARKET=csv
  npm run admin -- candles status [--json]
      lists the stored candles of every market
  npm run admin -- connection add --email E --exchange BINANCE --key K --secret-file F|- [--passphrase-file F] [--json]
      connects an exchange by an API key that may not withdraw; its secret comes from a file, - is standard input
  npm run admin -- connection list --email E [--json]
      lists the exchanges that a user has connected; keys are never shown
  npm run admin -- connection remove --email E --exchange BINANCE [--json]
      forgets an exchange that a user has connected, and its key
  npm run admin -- jobs dead [--queue Q] [--json]
      lists the jobs that failed by a bug or a crash; --json shows payload and stack, too
  npm run admin -- jobs drop --id I|all [--json]
      throws away a job that failed for good, or all of them
  npm run admin -- jobs retry --id I [--json]
      runs a job that failed for good again, and throws it away when that succeeds
  npm run admin -- jobs run --name X [--json]
      runs a schedule now and waits for its end
  npm run admin -- jobs schedules [--json]
      lists the schedules: when each ran last, how that ended, and when it runs next
  npm run admin -- limits reset [--email E] [--address IP] [--json]
      forgets what a user or an address has used of its limits, failed sign-ins too
  npm run admin -- limits show [--email E] [--address IP] [--json]
      shows the points a minute, and what a user or an address has used of its limits
  npm run admin -- nodes [--json]
      lists the processes of the service, those lost within the last minute, too
  npm run admin -- paper hold --email E --asset BTC --quantity 0.5 [--json]
      gives a paper account an asset, at the price of the moment
  npm run admin -- partner add --name N [--json]
      adds a partner who may send signals, and shows the key and the secret, once
  npm run admin -- partner list [--json]
      lists the partners and their keys
  npm run admin -- partner remove --name N [--json]
      removes a partner with all keys
  npm run admin -- partner revoke --key K [--json]
      takes one key away from its partner
  npm run admin -- partner rotate --name N [--json]
      gives a partner another key and shows it, once; the old ones are good until they are revoked
  npm run admin -- user add --email E [--password P] [--plan free|plus|pro] [--operator yes|no] [--json]
      adds a user who may sign in; without --password it is the first line of standard input
  npm run admin -- user list [--json]
      lists the users: whether they are operators, have a password, have a verified e-mail
  npm run admin -- user operator --email E --operator yes|no [--json]
      lets a user see and steer the cluster, or not any longer
  npm run admin -- user password --email E [--json]
      gives a user the password in the first line of standard input, and ends all their sessions
  npm run admin -- user plan --email E --plan free|plus|pro [--json]
      moves a user to another plan, at once
  npm run admin -- user remove --email E [--json]
      removes a user with all their sessions
  npm run admin -- user sessions --email E [--json]
      lists where a user is signed in
  npm run admin -- user sign-out --email E [--json]
      ends all sessions of a user
`;
