import type { PolicyEffectsOf, RecipientReference, Reference } from '@tocsin/contracts';
import { mayName, teamKeyRefused } from '@tocsin/key-auth';
import type { Resolution } from '../domain/decided.ts';
import type { PolicyEffects, PolicyRecipient } from '../domain/policies/policy.ts';
import type { ResponderDirectory } from '../ports/responder-directory.ts';
import { existing, lookUp } from './responder-look-up.ts';

type WantedEffects = PolicyEffectsOf<RecipientReference>;

/**
 * Makes effects of those that a caller wrote. Whom `before` names already by id stays, although they are no more or another
 * team's (E10).
 */
export type ReadEffects = (wanted: WantedEffects, before?: PolicyEffects) => PolicyEffects;

export interface Naming {
  readonly wanted: WantedEffects;
  readonly before?: PolicyEffects;
  /** The team of the key that names them. */
  readonly teamId: string | undefined;
}

/**
 * Looks up whom `wanted` names beyond `before`, so that these and whatever else names nobody new can be read later without
 * asking.
 *
 * @throws NotFoundError naming the first who does not exist; ForbiddenError when the key of a team names another team's schedule
 *   or escalation (K9); UnavailableError when an owner cannot be asked.
 */
export async function lookUpRecipients(
  directory: ResponderDirectory,
  { wanted, before, teamId }: Naming,
): Promise<ReadEffects> {
  const named = recipientsIn(wanted).filter(isNamed);
  const resolve = await lookUp(
    named.filter((one) => keptId(one, before) === undefined),
    directory,
    { untilUnknown: true },
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

/** The id of whom `named` names, where `effects` name them too. */
function keptId({ type, id }: Named, effects: PolicyEffects | undefined): string | undefined {
  if (effects === undefined || id === undefined) return undefined;
  return recipientsIn(effects).some((one) => one.type === type && 'id' in one && one.id === id) ? id : undefined;
}

function idOf(named: Named, resolution: Resolution, teamId: string | undefined): string {
  const { id, ownerTeamId } = existing(resolution, named, 'Responder');
  if (!mayName({ ownerTeamId }, teamId)) throw teamKeyRefused();
  return id;
}
