import { AppError } from '../../../compute/model/errors.js';
import { didYouMean, nearestNames } from '../../../compute/model/nearest-names.js';
import type { Storage } from '../../../storage/index.js';

/** The channel of that id, or those of that name in any case. Throws `invalid_input` without any, with the names of the known ones. */
export function namedChannels<Row extends { id: string; name: string }>(
  wanted: string,
  all: readonly Row[],
): Row[] {
  const name = wanted.trim().toLowerCase();
  const found = all.filter((each) => each.id === wanted || each.name.toLowerCase() === name);
  if (found.length > 0) return found;
  const known = [...new Set(all.map((each) => each.name))];
  const some = known.slice(0, 10).join(', ');
  const allowed = known.length === 0 ? 'no channels yet' : some + (known.length > 10 ? ' and others' : '');
  const meant = didYouMean(nearestNames(wanted, known)) || `; the channels are ${allowed}`;
  throw new AppError('invalid_input', `there is no channel "${wanted}"${meant}`, {
    details: { field: 'channel', allowed },
  });
}

/** The id of the one channel that a filter means; undefined without a filter. Throws `invalid_input` for none and for several. */
export async function channelFilter(
  wanted: string | undefined,
  { channels }: Pick<Storage, 'channels'>,
): Promise<string | undefined> {
  if (wanted === undefined) return undefined;
  const [first, ...others] = namedChannels(wanted, await channels.list());
  if (others.length === 0) return first.id;
  const ids = [first, ...others].map(({ id }) => id).join(' or ');
  throw new AppError(
    'invalid_input',
    `several channels are called "${wanted}": say which by its id, ${ids}`,
    {
      details: { field: 'channel', allowed: ids },
    },
  );
}
