import type { PolicyEffectsOf, RecipientReference, Reference } from '@tocsin/api';
import { mayName } from '@tocsin/events';
import { teamKeyRefused } from '@tocsin/http';
import type { Resolution } from '../alerts/decided.ts';
import { existing, lookUp, type ResponderDirectory } from '../responders/client.ts';
import type { PolicyEffects, PolicyRecipient } from './policy.ts';

type WantedEffects = PolicyEffectsOf<RecipientReference>;

/**
 * Turns the effects that a caller wrote into stored effects. A recipient whose id `before` names already stays, even if
 * it is deleted or another team's (E10).
 */
export type ReadEffects = (wanted: WantedEffects, before?: PolicyEffects) => PolicyEffects;
interface Naming {
  readonly wanted: WantedEffects;
  readonly before?: PolicyEffects;
  /** The team of the caller's key. */
  readonly teamId: string | undefined;
}

/**
 * Looks up the recipients that `wanted` names and `before` does not. The returned function then reads effects without
 * asking directory, as long as they name no new user.
 *
 * @throws NotFoundError naming the first that does not exist; ForbiddenError when a team's key names another team's
 * schedule or escalation (K9); UnavailableError when an owner cannot be asked.
 */
export async function lookUpRecipients(
  directory: ResponderDirectory,
  { wanted, before, teamId }: Naming,
): Promise<ReadEffects> {
  const named = recipientsIn(wanted).filter(isNamed);
  const resolve = await lookUp(
    named.filter((one) => keptId(one, before) === undefined),
    directory,
  );
  const read: ReadEffects = (effects, present) => {
    if (effects.kind === 'notification') return effects;
    const recipients = effects.modify.recipients.map((one): PolicyRecipient => {
      if (!isNamed(one)) return one;
      return { type: one.type, id: keptId(one, present) ?? idOf(one, resolve(one), teamId) };
    });
    return { ...effects, modify: { ...effects.modify, recipients } };
  };
  read(wanted, before);
  return read;
}

const recipientsIn = <R>(effects: PolicyEffectsOf<R>): readonly R[] =>
  effects.kind === 'alert' ? effects.modify.recipients : [];

type Named = Extract<RecipientReference, Reference>;

const isNamed = (recipient: RecipientReference): recipient is Named => 'id' in recipient;

/** The id of `named` if `effects` name it too. */
function keptId({ type, id }: Named, effects: PolicyEffects | undefined): string | undefined {
  if (effects === undefined || id === undefined) return undefined;
  return recipientsIn(effects).some((one) => one.type === type && 'id' in one && one.id === id) ? id : undefined;
}

function idOf(named: Named, resolution: Resolution, teamId: string | undefined): string {
  const { id, ownerTeamId } = existing(resolution, named, 'Responder');
  if (!mayName({ ownerTeamId }, teamId)) throw teamKeyRefused();
  return id;
}
