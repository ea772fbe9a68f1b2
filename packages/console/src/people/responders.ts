import { type Responder, responderOf, type ResponderKind, responderText } from './people.ts';

/** All users, or none. */
export type Alone = 'all' | 'none';

/** A responder as the API answers it. Some answers have its name. */
export type KnownResponder =
  | { readonly type: Alone }
  | { readonly type: 'user'; readonly id: string; readonly username?: string | undefined }
  | { readonly type: ResponderKind; readonly id: string; readonly name?: string | undefined };

/** A responder of a list in a form: one that was there before, or one as a person types it. */
export type ResponderRow =
  | { readonly known: KnownResponder; readonly typed?: undefined }
  | { readonly typed: string; readonly known?: undefined };

export const NEW_RESPONDER: ResponderRow = { typed: '' };

/** How those are typed that stand for themselves. */
export const ALONE_TEXTS: Readonly<Record<Alone, string>> = { all: 'All users', none: 'No user' };

export const rowsOf = (responders: readonly KnownResponder[]): readonly ResponderRow[] =>
  responders.map((known) => ({ known }));

const isAlone = (responder: KnownResponder): responder is Extract<KnownResponder, { readonly type: Alone }> =>
  responder.type === 'all' || responder.type === 'none';

/** A responder as a person types it, by the name that the answer or `found` has. */
export function knownText(responder: KnownResponder, found?: string): string {
  if (isAlone(responder)) return ALONE_TEXTS[responder.type];
  if (responder.type === 'user') return responder.username ?? found ?? `User ${responder.id}`;
  return responderText(responder.type, responder.name ?? found ?? responder.id);
}

/** A responder of a body. */
export type SentResponder =
  Responder | { readonly type: Alone } | { readonly type: 'user' | ResponderKind; readonly id: string };

/** The responders that the rows mean, as the API takes them; a row in which nothing is typed is none. */
export const respondersOf = (rows: readonly ResponderRow[]): readonly SentResponder[] =>
  rows.flatMap(({ known, typed }): readonly SentResponder[] => {
    if (known !== undefined) return [isAlone(known) ? { type: known.type } : { type: known.type, id: known.id }];
    const text = typed.trim();
    if (text === '') return [];
    const alone = (Object.keys(ALONE_TEXTS) as Alone[]).find((type) => ALONE_TEXTS[type] === text);
    return [alone === undefined ? responderOf(text) : { type: alone }];
  });

/** What a name is looked up by; undefined where there is no need. */
export function lookUpOf(
  responder: KnownResponder,
): { readonly type: 'user' | ResponderKind; readonly id: string } | undefined {
  if (isAlone(responder)) return undefined;
  const name = responder.type === 'user' ? responder.username : responder.name;
  return name === undefined ? { type: responder.type, id: responder.id } : undefined;
}
