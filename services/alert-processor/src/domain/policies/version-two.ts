import type { PolicyEffectsOf, WrittenEffectsOf } from '@tocsin/contracts';
import { replacedModification } from './replaced-modification.ts';
import type { PolicyEffects } from './policy.ts';

/** Both flags of version 1 together, which is all that version 2 shows of them. */
export const ignoresOriginalResponders = (modify: {
  readonly ignoreOriginalRecipients: boolean;
  readonly ignoreOriginalTeams: boolean;
}): boolean => modify.ignoreOriginalRecipients && modify.ignoreOriginalTeams;

/**
 * What a replacement by version 2 makes of `present`: where its one flag for responders is what version 2 shows, those of
 * version 1 stay (E10). Undefined where `written` is of another kind, which a policy never changes.
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
