/** What a person typed and did not send, for each place of the page. It outlives the page, not the tab. */
const drafts = new Map<string, string>();

export const draftOf = (place: string): string => drafts.get(place) ?? '';

export function keepDraft(place: string, text: string): void {
  if (text === '') drafts.delete(place);
  else drafts.set(place, text);
}
