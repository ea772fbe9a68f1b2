import type { ImportBody, ImportKind } from '../bodies/body.ts';
import { isJson } from '../json.ts';
import type { Present } from './present.ts';

/** A reference to a thing that neither the snapshot nor Tocsin has. */
export interface DanglingReference {
  readonly kind: ImportKind;
  readonly id: string;
  readonly name: string;
  /** Where it is in the body, such as `rules.0.recipient`. */
  readonly field: string;
  /** The id that is named. */
  readonly to: string;
}

/** Lists whose items have ids of their own. */
const OWN: ReadonlySet<string> = new Set(['rotations', 'rules', 'steps', 'roles', 'contacts']);

/** The references in bodies to things that neither the snapshot nor Tocsin has. */
export function danglingIn(bodies: readonly ImportBody[], present: Present): readonly DanglingReference[] {
  const known = new Set<string>([...present.ids.values()].flatMap((ids) => [...ids]));
  for (const { id } of bodies) known.add(id);
  return bodies.flatMap(({ body, id, kind, name }) => {
    const own = new Set<string>();
    const found: { readonly field: string; readonly to: string }[] = [];
    walk(body, [], (field, to, isOwn) => {
      if (isOwn) own.add(to);
      else found.push({ field, to });
    });
    return found
      .filter(({ to }) => !known.has(to) && !own.has(to))
      .map(({ field, to }) => ({ kind, id, name, field, to }));
  });
}

type Visit = (field: string, id: string, isOwn: boolean) => void;

function walk(value: unknown, path: readonly string[], visit: Visit): void {
  if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) walk(item, [...path, String(at)], visit);
    return;
  }
  if (!isJson(value)) return;
  for (const [field, inner] of Object.entries(value)) {
    if (typeof inner === 'string' && field === 'id') visit(path.join('.'), inner, isOwnItem(path));
    else if (typeof inner === 'string' && field === 'teamId') visit(field, inner, false);
    // Texts of users may have fields of any name.
    else if (!['extraProperties', 'details', 'headers'].includes(field)) walk(inner, [...path, field], visit);
  }
}

/** Items of a list of the thing itself; the rotations of an override are references. */
const isOwnItem = (path: readonly string[]): boolean =>
  OWN.has(path.at(-2) ?? '') && /^\d+$/.test(path.at(-1) ?? '') && path[0] !== 'overrides';
