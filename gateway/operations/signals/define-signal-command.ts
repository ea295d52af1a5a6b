import type Joi from 'joi';
import { type AppError, fieldError } from '../../../compute/model/errors.js';
import type { PartnerSignal, SignalCommandEvent } from '../../../storage/signals/partner-signal.js';
import { mostCommands } from '../../../storage/signals/signals.js';
import { announceSignal } from '../../../storage/signals/signal-wakes.js';
import { KeyedMutex } from '../../../storage/process/keyed-mutex.js';
import type { Deps } from '../../context.js';
import { definePartnerOperation, type PartnerOperation } from '../../partner-operation.js';
import { oneOf, type ValueOf, answerOf } from '../output-fields.js';
import { findOwnSignal, requireSameId, signalIdOutput } from './signal-id.js';
import type { AskingCaller } from '../exchanges/exchange-rules.js';
import { checkFields, throwFaults, type SignalFault } from './signal-faults.js';

/** What every command on a signal repeats in its body. */
export interface SignalIdField {
  parent_signal_id: string;
}

export type DoneCommand = ValueOf<typeof doneOutput>;

/** What a command does to a signal: its event, and in words why. */
export interface CommandEffect {
  event: SignalCommandEvent;
  cause: string;
}

interface CommandDefinition<Fields extends SignalIdField> {
  id: string;
  summary: string;
  input: Joi.ObjectSchema<Fields>;
  /** What is wrong with the fields together, for this signal. */
  faults?: (
    fields: Fields,
    signal: PartnerSignal,
    deps: Deps,
    caller: AskingCaller,
  ) => readonly SignalFault[] | Promise<readonly SignalFault[]>;
  /** `number` is that of the command; null where the command changes nothing. */
  effect: (fields: Fields, signal: PartnerSignal, number: number) => CommandEffect | null;
  /** Whether it may be given to a signal that has ended; then it changes nothing. */
  isRepeatable?: true;
}

/** Commands on one signal at the same moment would each be repeated for all others. */
const turns = new KeyedMutex();

const doneOutput = answerOf({
  parent_signal_id: signalIdOutput,
  result: oneOf(['success'], 'that the command is stored and will be passed on'),
});

/**
 * A command of a partner on one of its signals. It is checked against all commands before it, and checked again if another
 * command is stored meanwhile.
 */
export const defineSignalCommand = <Fields extends SignalIdField>({
  id,
  summary,
  input,
  faults = () => [],
  effect,
  isRepeatable,
}: CommandDefinition<Fields>): PartnerOperation<Fields, DoneCommand> =>
  definePartnerOperation<Fields, DoneCommand>({
    id,
    summary,
    counts: 'commands',
    input: input,
    output: doneOutput,
    read(given, path) {
      const { value, faults: found } = checkFields(input, given);
      throwFaults(found);
      requireSameId(path.parent_signal_id, value.parent_signal_id);
      return value;
    },
    handle: (fields, deps, caller) =>
      turns.run(`${caller.partner.id} ${fields.parent_signal_id}`, async () => {
        const done = { payload: { parent_signal_id: fields.parent_signal_id, result: 'success' as const } };
        // The loop ends: only a command that another gateway stored meanwhile repeats it, and a signal takes a limited number.
        for (;;) {
          const signal = await findOwnSignal(fields.parent_signal_id, deps, caller);
          if (isRepeatable && signal.status === 'cancelled') return done;
          if (!isRepeatable) await requireOpen(signal, deps);
          throwFaults(await faults(fields, signal, deps, caller));
          const change = effect(fields, signal, signal.commands.length + 1);
          if (!change) return done;
          if (!(await deps.storage.signals.command(signal, change.event, change.cause))) continue;
          // If this fails, the sweeper of the signals workers finds the command.
          await announceSignal(deps.redis, caller.partner.id).catch(() => undefined);
          return done;
        }
      }),
  });

/** Throws `invalid_input` for a signal that takes no more commands. */
async function requireOpen(
  { id, status, commands, delivery }: PartnerSignal,
  { storage }: Deps,
): Promise<void> {
  if (status === 'cancelled') throw refused('the signal is cancelled');
  if (commands.length >= mostCommands) throw refused(`a signal takes at most ${mostCommands} commands`);
  if (!delivery.isDone) return;
  if (await storage.executionReads.haveAllEnded(id))
    throw refused('the signal is finished: all executions of it have ended');
}

const refused = (message: string): AppError => fieldError('parent_signal_id', message);
