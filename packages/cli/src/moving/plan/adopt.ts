import { type ImportBody, keyOf } from '../bodies/body.ts';
import { isJson, type Json, textIn } from '../json.ts';
import { listKindOf, type Present, uniqueName } from './present.ts';

/** The things of Tocsin that have the names of things of the snapshot under other ids, by the id in the snapshot, with `known` ones. */
export function adoptions(
  wanted: readonly ImportBody[],
  present: Present,
  known: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const adopted = new Map(known);
  const keys = new Set(wanted.map(keyOf));
  for (const thing of wanted) {
    const other = otherOfName(thing, present);
    const isThere = present.ids.get(listKindOf(thing.kind))?.has(thing.id) ?? false;
    const isFree = !isThere && !adopted.has(thing.id);
    if (other !== undefined && isFree && !keys.has(`${thing.kind}/${other}`)) adopted.set(thing.id, other);
  }
  return adopted;
}

/** The id of another thing of Tocsin that has the name. Rules have no names of their own. */
export function otherOfName({ body, id, kind }: ImportBody, { names }: Present): string | undefined {
  if (listKindOf(kind) !== kind) return undefined;
  const other = names.get(kind)?.get(uniqueName(textIn(body, 'username') ?? textIn(body, 'name') ?? ''));
  return other === id ? undefined : other;
}

/** The body with the ids of adopted things in place of those of the snapshot. */
export function withIds(thing: ImportBody, adopted: ReadonlyMap<string, string>): ImportBody {
  if (adopted.size === 0) return thing;
  return { ...thing, id: adopted.get(thing.id) ?? thing.id, body: replaced(thing.body, adopted) as Json };
}

function replaced(value: unknown, adopted: ReadonlyMap<string, string>, name = ''): unknown {
  if (typeof value === 'string') return name === 'id' || name === 'teamId' ? (adopted.get(value) ?? value) : value;
  if (Array.isArray(value)) return value.map((item) => replaced(item, adopted));
  if (!isJson(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, replaced(inner, adopted, field)]));
}
