import type { Mention } from './mentions.ts';
import { nameIn, type Snapshot } from './snapshot.ts';

type MentionView<Type> = Type extends 'user'
  ? { readonly type: Type; readonly id: string; readonly username?: string }
  : { readonly type: Type; readonly id: string; readonly name?: string };

/** Id and name, user name for users (E10); a name that is not known is left out. */
export function mentionView<Type extends Mention['type']>(
  { type, id }: { readonly type: Type; readonly id: string },
  snapshot: Snapshot,
): MentionView<Type> {
  const name = nameIn(snapshot, { type, id });
  const named = name !== undefined && { [type === 'user' ? 'username' : 'name']: name };
  return { type, id, ...named } as unknown as MentionView<Type>;
}

export function ownerView(
  teamId: string | undefined,
  snapshot: Snapshot,
): { readonly ownerTeam?: { readonly id: string; readonly name?: string } } {
  if (teamId === undefined) return {};
  const name = snapshot.team(teamId)?.name;
  return { ownerTeam: { id: teamId, ...(name !== undefined && { name }) } };
}
