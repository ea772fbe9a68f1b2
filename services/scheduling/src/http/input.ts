import type { Principal } from '@tocsin/key-auth';
import type { Caller, Identifier } from '../application/caller.ts';

/** Whose key it is, as far as it matters for schedules and escalations. */
export const callerOf = ({ teamId }: Principal): Caller => ({ teamId });

/** How the path names a schedule or an escalation. */
export const identifierOf = (value: string | undefined, type: Identifier['type']): Identifier => ({
  type,
  value: value ?? '',
});
