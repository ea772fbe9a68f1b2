import { instantOfField, type WallField } from '../schedules/wall-field.ts';

/** The end of a mute in a user of the server, while it lasts: one that is over stays there. */
export const muteEnd = (mutedUntil: string | undefined, now: number): string | undefined =>
  mutedUntil !== undefined && Date.parse(mutedUntil) > now ? mutedUntil : undefined;

/** What a person typed as the end of a mute: the instant, or why it is none. */
export function typedEnd(
  field: WallField,
  zone: string,
  now: number,
): { readonly at: string } | { readonly fault: string } {
  const instant = instantOfField(field, zone);
  if (instant.at === undefined) return { fault: instant.fault };
  return instant.at > now ? { at: new Date(instant.at).toISOString() } : { fault: 'Type a time that is to come.' };
}
