import type { Principal } from '@tocsin/key-auth';
import type { Caller, Identifier } from '../application/caller.ts';

/** Whose key it is, as far as it matters for schedules and escalations. */
export const callerOf = ({ teamId }: Principal): Caller => ({ teamId });

/** How the path names a schedule or an escalation. */
export const identifierOf = (value: string | undefined, type: Identifier['type']): Identifier => ({
  type,
  value: value ?? '',
});

/** The schedule that the path of something inside it names. */
export const scheduleOf = (
  params: Readonly<Record<string, string | undefined>>,
  type: Identifier['type'],
): Identifier => identifierOf(params['scheduleIdentifier'], type);
