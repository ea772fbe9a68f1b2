import { timeText } from './time-text.ts';
import { instantsOf, midnightOf, wallOf, type WallTime } from './zone.ts';

/** What a person typed as a time in the zone of a schedule. */
export interface WallField {
  /** As a field for dates and times has it, such as `2026-03-29T01:30`. */
  readonly text: string;
  /** Which of the times that the clocks show twice is meant: 0 is the first. */
  readonly showing: number;
}

/** An instant as such a field has it. */
export function fieldOf(at: number, zone: string): WallField {
  const wall = wallOf(at, zone);
  const text = new Date(wall).toISOString().replace(/(:00)?\.\d+Z$/, '');
  return { text, showing: Math.max(instantsOf(wall, zone).indexOf(at), 0) };
}

/** What a field means: an instant among those at which the clocks show it, or why it is none. */
export type FieldInstant =
  { readonly at: number; readonly showings: readonly number[] } | { readonly fault: string; readonly at?: undefined };

/** Reads a field. One that a person did not change keeps its instant, also where that has parts of a second. */
export function instantOfField(field: WallField, zone: string, kept?: number): FieldInstant {
  const wall = wallOfText(field.text);
  if (wall === undefined) return { fault: 'Type a date and a time.' };
  const showings = instantsOf(wall, zone);
  const at = showings[field.showing] ?? showings[0];
  if (at === undefined) return { fault: `The clocks of ${zone} skip this time. Type one before or after it.` };
  const before = kept === undefined ? undefined : fieldOf(kept, zone);
  return { at: before?.text === field.text && before.showing === field.showing ? (kept ?? at) : at, showings };
}

function wallOfText(text: string): WallTime | undefined {
  const isWritten = /^[\d-]+T\d\d:\d\d(:\d\d)?$/.test(text) && midnightOf(text.slice(0, 10)) !== undefined;
  const wall = isWritten ? Date.parse(`${text}Z`) : Number.NaN;
  return Number.isNaN(wall) ? undefined : wall;
}

/** The times of a field that the clocks show twice, to choose from; none where they show it once. */
export const showingTexts = (instant: FieldInstant, zone: string): readonly string[] =>
  instant.at === undefined || instant.showings.length < 2 ? [] : instant.showings.map((at) => timeText(at, zone));
