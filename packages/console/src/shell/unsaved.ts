/** What a person typed and did not send, for each place of the pages. It outlives a page, and not a reload. */
const drafts = new Map<string, string>();

export const draftOf = (place: string): string => drafts.get(place) ?? '';

/** Keeps what was typed; an empty text is none. */
export function keepDraft(place: string, text: string): void {
  if (text.trim() === '') drafts.delete(place);
  else drafts.set(place, text);
}

/** Whether a reload would lose something. */
export const hasUnsavedInput = (): boolean => drafts.size > 0;

/** Lets the browser ask before such input is lost. */
export function guardUnsavedInput(page: Window): void {
  page.addEventListener('beforeunload', (event) => {
    if (hasUnsavedInput()) event.preventDefault();
  });
}
