import { ConflictError } from '@tocsin/core';
import { bytesOf, requireBytesOfTeam } from '@tocsin/rules';
import type { Catalogue } from './configuration.ts';
import type { Escalation } from '../escalations/escalation.ts';
import type { Schedule } from '../schedules/schedule.ts';

/**
 * Refuses a schedule or escalation for its name or its size. Every process holds all of them in memory.
 *
 * @throws ConflictError when another has the name of `next`.
 * @throws InvalidError when its team would have too many bytes of `things` with it.
 */
export function requireNameAndSize<T extends Schedule | Escalation>(
  kind: 'Schedule' | 'Escalation',
  things: Catalogue<T>,
  next: T,
): void {
  const { id, name, ownerTeamId } = next;
  const holder = things.named(name) ?? next;
  if (holder.id !== id) throw new ConflictError(`${kind} with name [${name}] already exists.`);
  if (ownerTeamId === undefined) return;
  const owned = things.all().filter((thing) => thing.ownerTeamId === ownerTeamId);
  const before = owned.filter((thing) => thing.id === id);
  requireBytesOfTeam(`${kind.toLowerCase()}s`, sizeOf([next]) - sizeOf(before), sizeOf(owned));
}

/** The size of each object in bytes. A schedule or escalation is immutable, and a write makes another object. */
const measured = new WeakMap<Schedule | Escalation, number>();

const sizeOf = (things: readonly (Schedule | Escalation)[]): number =>
  things.reduce((sum, thing) => sum + measuredSize(thing), 0);

function measuredSize(thing: Schedule | Escalation): number {
  // Without `version` and `enabled`: a write that only counts the version on, or disables the entity, does not make it larger.
  const size = measured.get(thing) ?? bytesOf({ ...thing, version: undefined, enabled: undefined });
  measured.set(thing, size);
  return size;
}
