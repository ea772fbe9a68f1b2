import type { Catalogue } from './configuration.ts';
import type { Escalation } from './escalation.ts';
import type { Schedule } from './schedule.ts';

/** The most bytes that the schedules of one team may have together, as JSON, and its escalations too: every process holds all of them. */
export const MOST_BYTES_OF_TEAM = 4_000_000;

/** A schedule or escalation never changes: what is written is another object. */
const measured = new WeakMap<Schedule | Escalation, number>();

/** Whether `next` takes its team over the bound. A team over the bound may still make a thing smaller, or write it at its size. */
export function isTooMuchForTeam<T extends Schedule | Escalation>(things: Catalogue<T>, next: T): boolean {
  const { id, ownerTeamId } = next;
  if (ownerTeamId === undefined) return false;
  const before = things.get(id);
  if (before?.ownerTeamId === ownerTeamId && bytesOf(next) <= bytesOf(before)) return false;
  const others = things.all().filter((other) => other.ownerTeamId === ownerTeamId && other.id !== id);
  return others.reduce((sum, other) => sum + bytesOf(other), bytesOf(next)) > MOST_BYTES_OF_TEAM;
}

function bytesOf(thing: Schedule | Escalation): number {
  const known = measured.get(thing);
  if (known !== undefined) return known;
  // What is no larger may be written, whatever digit its version has gained, and switched off, though "false" is longer.
  const bytes = Buffer.byteLength(JSON.stringify({ ...thing, version: undefined, enabled: undefined }));
  measured.set(thing, bytes);
  return bytes;
}
