/** The text of the search field, and the search that the page shows. */
export interface SearchText {
  readonly query: string;
  readonly text: string;
  /** The search that was sent last, until the page shows it. */
  readonly sent: string | undefined;
}

/** The field once the page shows another search. A search that the field sent keeps the text, which may have grown since. */
export function withQuery({ sent, text }: SearchText, query: string): SearchText {
  const isOwn = query === sent || query === text.trim();
  return { query, text: isOwn ? text : query, sent: undefined };
}
