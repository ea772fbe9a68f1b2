import { keepDraft, readDraft } from '../shell/unsaved.ts';
import type { Schedule } from './queries.ts';
import type { Rotation, RotationForm } from './rotation-form.ts';

/** The dialog of a rotation, and what its person saw of the schedule when it was opened. */
export interface OpenedRotation {
  readonly seen: Schedule;
  /** The rotation to change; undefined for a new one. */
  readonly changed?: Rotation;
  readonly form: RotationForm;
}

const placeOf = (scheduleId: string) => `rotation of schedule ${scheduleId}`;

/** Keeps what was typed, and of which rotation. */
export function keepTypedRotation(opened: OpenedRotation): void {
  keepDraft(placeOf(opened.seen.id), JSON.stringify(opened));
}

/** Removes what was typed, which was saved or is given up. */
export function removeTypedRotation(scheduleId: string): void {
  keepDraft(placeOf(scheduleId), '');
}

/** The rotation in whose dialog a person typed before they left the page of the schedule, with what they typed. */
export function rotationTypedBefore(scheduleId: string): OpenedRotation | undefined {
  return readDraft(placeOf(scheduleId)) as OpenedRotation | undefined;
}
