import type { PolicyEffectsOf, WrittenEffectsOf } from '@tocsin/contracts';
import { replacedModification } from './replaced-modification.ts';
import type { PolicyEffects } from './policy.ts';

/** The one flag that version 2 shows in place of both flags of version 1: true if both are. */
export const ignoresOriginalResponders = (modify: {
  readonly ignoreOriginalRecipients: boolean;
  readonly ignoreOriginalTeams: boolean;
}): boolean => modify.ignoreOriginalRecipients && modify.ignoreOriginalTeams;

/**
 * `present` after a PUT by version 2. If its one flag for responders is unchanged, both flags of version 1 stay (E10).
 * Undefined if `written` is of another kind: a policy never changes its kind.
 */
export function replacedByVersionTwo<R>(
  present: PolicyEffects,
  written: WrittenEffectsOf<R>,
): PolicyEffectsOf<R> | undefined {
  if (present.kind === 'notification') return written.kind === 'notification' ? written : undefined;
  if (written.kind === 'notification') return undefined;
  const modify = replacedModification(present.modify, written);
  if (ignoresOriginalResponders(present.modify) !== ignoresOriginalResponders(modify)) return { kind: 'alert', modify };
  const { ignoreOriginalRecipients, ignoreOriginalTeams } = present.modify;
  return { kind: 'alert', modify: { ...modify, ignoreOriginalRecipients, ignoreOriginalTeams } };
}
