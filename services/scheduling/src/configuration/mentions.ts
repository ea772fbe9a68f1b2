import type { Escalation } from '../escalations/escalation.ts';
import type { Schedule } from '../schedules/schedule.ts';

/** An entity by its kind and id. */
export interface Mention {
  readonly type: 'user' | 'team' | 'schedule' | 'escalation';
  readonly id: string;
}

/** Whether an entity that configuration names exists. Scheduling skips entities that do not (S12). */
export type Exists = (mention: Mention) => boolean;

/** The participants in the rotations of a schedule, or the recipients of an escalation, duplicates included. */
export function mentionsOf(thing: Schedule | Escalation): readonly Mention[] {
  if ('rules' in thing) return thing.rules.map(({ recipient }) => recipient);
  return thing.rotations.flatMap(({ participants }) => participants.filter((one) => one.type !== 'none'));
}
