import { AppError, fieldError } from '../../../compute/model/errors.js';
import { didYouMean, nearestNames } from '../../../compute/model/nearest-names.js';
import { researchDescription } from '../../../jobs/definitions/research-backtest.js';
import type { SignedIn } from '../../../storage/users/signed-in-directory.js';
import type { Deps } from '../../context.js';
import { versionOfStrategy } from '../strategies/saved-strategies.js';

/** A strategy as a request names it: rules, a saved or shared strategy, or the name of a template. */
export type GivenStrategy = Record<string, unknown> | string;

const saved = /^(str_[a-z2-7]{20})(?:@([1-9]\d{0,8}))?$/;
const sharedHash = /^[0-9a-f]{64}$/;

const hintOf = (given: string): string =>
  given.trim().startsWith('{')
    ? ': rules are given as an object of JSON, not as text'
    : didYouMean(nearestNames(given.toLowerCase(), researchDescription.templateNames));

/**
 * The rules that a request names: rules themselves, `str_<id>` or `str_<id>@<version>` of the user, the hash of a shared version, or
 * the name of a template. Throws `unknown_strategy` for a strategy that the user may not read, `invalid_input` for another name.
 */
export async function rulesOf(
  given: GivenStrategy,
  { storage: { savedStrategies } }: Pick<Deps, 'storage'>,
  user: Pick<SignedIn, 'userId'> | null,
): Promise<Record<string, unknown>> {
  if (typeof given !== 'string') return given;
  const template = researchDescription.templateNamed(given.toLowerCase());
  if (template) return template;
  const [, id, version] = saved.exec(given) ?? [];
  if (id === undefined && !sharedHash.test(given))
    throw fieldError('strategy', `there is no strategy "${given}"${hintOf(given)}`);
  try {
    if (id === undefined) return (await savedStrategies.shared(given)).rules;
    // Nobody has an empty id: a guest has saved nothing.
    const strategy = await savedStrategies.find(user?.userId ?? '', id);
    return versionOfStrategy(strategy, version === undefined ? undefined : Number(version)).rules;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'unknown_strategy') throw error;
    throw fieldError('strategy', error.message, 'unknown_strategy');
  }
}
