import Joi from 'joi';
import { fieldError } from '../../../compute/model/errors.js';
import type { PartnerSignal } from '../../../storage/signals/partner-signal.js';
import type { Deps } from '../../context.js';
import type { PartnerCaller } from '../../partner-operation.js';

const idField = 'parent_signal_id';
const idPattern = /^[0-9a-f]{24}$/;

/** The id of a signal in answers. */
export const signalIdOutput = Joi.string()
  .pattern(idPattern, 'an id')
  .required()
  .description('id of the signal');

/** The id of a signal that a request is about. */
export const signalIdInput = Joi.string()
  .required()
  .description('id of the signal, as create answered it; in path and body the same')
  .example('68a1f0c2e4b0a1b2c3d4e5f6');

/** Throws `invalid_input` unless path and body name the same signal. */
export function requireSameId(inPath: string | undefined, inBody: string): void {
  if (inPath === inBody) return;
  throw fieldError(idField, `"${idField}" must be the same in path and body`);
}

/** A signal of the calling partner. Throws `invalid_input`, with the same message for a signal of another partner. */
export async function findOwnSignal(
  id: string,
  { storage }: Pick<Deps, 'storage'>,
  { partner }: Pick<PartnerCaller, 'partner'>,
): Promise<PartnerSignal> {
  const found = idPattern.test(id) ? await storage.signals.find(partner.id, id) : null;
  if (!found) throw fieldError(idField, `"${idField}" is not the id of one of your signals`);
  return found;
}
