import type { Answer } from '../api/answer.ts';

export type SavedSearch = Answer<'get-saved-search'>['data'];

/** The roles that change the searches of others (K12). */
const ADMINS: ReadonlySet<string> = new Set(['owner', 'admin']);

/** Why a person cannot change a saved search; undefined where they can. The server decides (K12). */
export const searchChangeRefused = (
  { owner }: Pick<SavedSearch, 'owner'>,
  { role, user }: { readonly role: { readonly id: string }; readonly user: { readonly id: string } },
): string | undefined => (owner.id === user.id || ADMINS.has(role.id) ? undefined : 'Another person owns this search.');

/** Why a search cannot be saved; undefined where it can. */
export function saveRefused(query: string, name: string): string | undefined {
  if (query === '') return 'Type a search first: this one finds all alerts.';
  return name.trim() === '' ? 'Type a name first.' : undefined;
}
