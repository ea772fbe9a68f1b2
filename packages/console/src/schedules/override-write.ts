import { changesBetween, type SeenSchedule } from './changes.ts';
import type { Override, OverrideBody } from './queries.ts';

/** A write of an override, and what its person saw of the schedule. */
export type OverrideWrite = { readonly seen: SeenSchedule } & (
  | { readonly kind: 'create' | 'replace'; readonly body: OverrideBody }
  | { readonly kind: 'delete'; readonly alias: string }
);

/** What another person changed before the write, which was not sent then; nothing where it was sent, or had been done before. */
export interface OverrideWriteResult {
  readonly changes: readonly string[];
  /** What the schedule was when it was read before the write. */
  readonly seen: SeenSchedule;
}

interface OverrideCalls {
  /** Reads the schedule; the read begins when it is called. */
  readonly read: () => Promise<SeenSchedule>;
  readonly send: () => Promise<void>;
}

/**
 * Writes an override, unless the schedule was changed since its person saw it. A write that is done already, such as an earlier one whose
 * answer was lost, is not sent again.
 *
 * The API takes a write whatever the version of the schedule, so a change that another person makes between the read and the write is
 * overwritten. The read comes right before the write, to keep that time short.
 */
export async function writeUnlessChanged(
  write: OverrideWrite,
  { read, send }: OverrideCalls,
): Promise<OverrideWriteResult> {
  const seen = await read();
  if (isDone(write, seen.overrides)) return { changes: [], seen };
  const changes = changesBetween(write.seen, seen);
  if (changes.length === 0) await send();
  return { changes, seen };
}

const isDone = (write: OverrideWrite, overrides: readonly Override[]): boolean =>
  write.kind === 'delete'
    ? !overrides.some(({ alias }) => alias === write.alias)
    : overrides.some((override) => isWritten(override, write.body));

/** Whether the override is as the body makes it. */
function isWritten({ alias, endDate, rotations = [], startDate, user }: Override, body: OverrideBody): boolean {
  const ids = new Set(rotations.map(({ id }) => id));
  return (
    alias === body.alias &&
    isSameUser(user, body.user) &&
    Date.parse(startDate) === Date.parse(body.startDate) &&
    Date.parse(endDate) === Date.parse(body.endDate) &&
    ids.size === body.rotations.length &&
    body.rotations.every(({ id }) => ids.has(id))
  );
}

/** The API takes a user name in any case, and answers it in lower case. */
function isSameUser(user: Override['user'], named: OverrideBody['user']): boolean {
  if (named.type === 'none') return user.type === 'none';
  return user.type === 'user' && user.username?.toLowerCase() === named.username.toLowerCase();
}
