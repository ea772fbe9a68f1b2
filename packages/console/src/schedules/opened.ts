import { keepDraft, readDraft } from '../shell/unsaved.ts';
import type { SeenSchedule } from './changes.ts';
import type { OverrideForm, OverrideTask } from './override-draft.ts';
import type { Override } from './queries.ts';

/** A dialog of a schedule, and what its person saw of the schedule when it was opened. */
export type Opened = { readonly seen: SeenSchedule } & (
  { readonly kind: 'override'; readonly task: OverrideTask } | { readonly kind: 'delete'; readonly override: Override }
);

export type OpenedOverride = Extract<Opened, { readonly kind: 'override' }>;

const placeOf = (scheduleId: string) => `override of schedule ${scheduleId}`;

/** Keeps what was typed in the dialog of an override, and for what it was opened: times alone do not say which override they change. */
export function keepTyped({ kind, seen, task }: OpenedOverride, form: OverrideForm): void {
  const typed: OpenedOverride = { kind, seen, task: { ...task, form } };
  keepDraft(placeOf(seen.schedule.id), JSON.stringify(typed));
}

/** Removes what was typed, which was saved or is given up. */
export function removeTyped(scheduleId: string): void {
  keepDraft(placeOf(scheduleId), '');
}

/** The dialog in which a person typed before they left the page of the schedule, with what they typed. */
export function typedBefore(scheduleId: string): Opened | undefined {
  return readDraft(placeOf(scheduleId)) as OpenedOverride | undefined;
}
