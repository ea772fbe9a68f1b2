import { canonical, IMPORT_KINDS, type ImportBody, type ImportKind, keyOf, type Loss } from '../bodies/body.ts';
import { type Json, textIn } from '../json.ts';
import type { KindName } from '../kinds.ts';
import type { Applied, AppliedBody } from './applied.ts';
import { adoptions, otherOfName, withIds } from './adopt.ts';
import { type FieldDifference, isMasked, merge, type Take, withoutMasked } from './merge.ts';
import { listKindOf, type Present } from './present.ts';
import { type DanglingReference, danglingIn } from './references.ts';
import type { Wanted } from './wanted.ts';

/**
 * What becomes of a thing. `keep`: only Tocsin changed it. `gone`: the snapshot has it no longer. `cannot`: it cannot be moved.
 */
export const PLAN_STATES = ['create', 'change', 'delete', 'conflict', 'cannot', 'gone', 'keep', 'same'] as const;
export type PlanState = (typeof PLAN_STATES)[number];

export interface PlannedThing {
  readonly kind: ImportKind;
  readonly id: string;
  readonly name: string;
  readonly state: PlanState;
  readonly differences: readonly FieldDifference[];
  /** Why it is not moved, or must be decided. */
  readonly why?: string;
  /** What is written: of things to create and to change. */
  readonly body?: Json;
  /** As the snapshot has it; undefined of things that it does not have. */
  readonly wanted?: Json;
}

/** What an import is going to do. */
export interface Plan {
  /** In the order in which they are applied. */
  readonly things: readonly PlannedThing[];
  readonly losses: readonly Loss[];
  /** References to things that neither the snapshot nor Tocsin has. */
  readonly dangling: readonly DanglingReference[];
  /** Ids of things of Tocsin that take the place of things of the snapshot. */
  readonly adopted: ReadonlyMap<string, string>;
}

/** The decisions of the user. */
export interface Choices {
  readonly take?: Take | undefined;
  /** Takes things of the same name for the same. */
  readonly adopt: boolean;
  /** Deletes things that the snapshot has no longer. */
  readonly prune: boolean;
  /** Kinds that the snapshot has. */
  readonly kinds: ReadonlySet<KindName>;
}

/** The plan of a snapshot, without any request. The same arguments give the same plan. */
export function planOf(wanted: Wanted, present: Present, applied: Applied, choices: Choices): Plan {
  const adopted = choices.adopt ? adoptions(wanted.bodies, present, applied.adopted) : applied.adopted;
  const bodies = wanted.bodies.map((body) => withIds(body, adopted));
  const ids = new Set(bodies.map(keyOf));
  const situation = { ids, present, applied, choices };
  const blocked = new Set(bodies.filter((body) => nameTaken(body, situation) !== undefined).map(keyOf));
  const things = bodies.map((body) => planned(body, { ...situation, blocked }));
  const all = [...things, ...unreadable(wanted), ...gone(ids, present, applied, choices)];
  return {
    things: IMPORT_KINDS.flatMap((kind) => all.filter((thing) => thing.kind === kind)),
    losses: wanted.losses,
    dangling: danglingIn(bodies, present),
    adopted,
  };
}

interface Situation {
  readonly ids: ReadonlySet<string>;
  /** Things whose names others have in Tocsin: their rules have no owner yet. */
  readonly blocked: ReadonlySet<string>;
  readonly present: Present;
  readonly applied: Applied;
  readonly choices: Choices;
}

function planned(thing: ImportBody, situation: Situation): PlannedThing {
  const { applied, choices, present } = situation;
  const { body, id, kind, name } = thing;
  const of = { kind, id, name, wanted: body, differences: [] };
  const taken = nameTaken(thing, situation);
  if (taken !== undefined) return { ...of, state: 'conflict', why: taken };
  if (situation.blocked.has(`${listKindOf(kind)}/${id}`))
    return {
      ...of,
      state: 'conflict',
      why: 'They are moved once it is decided to which of two things of the same name they belong.',
    };
  const before = applied.bodies.get(keyOf(thing));
  const ours = present.bodies.get(keyOf(thing));
  if (ours === undefined) return absent(of, body, before, choices.take);
  const isOfNewThing = before === undefined && wasMadeByImport(thing, applied);
  const { body: merged, differences } = merge(body, ours.body, before?.body, isOfNewThing ? 'old' : choices.take);
  const state = stateOf(differences);
  return { ...of, state, differences, ...(state === 'change' && { body: merged }) };
}

/** Rules of a user or team that an import made are still those that Tocsin gave it. */
function wasMadeByImport({ id, kind }: ImportBody, { bodies }: Applied): boolean {
  const owner = listKindOf(kind);
  return owner !== kind && bodies.has(`${owner}/${id}`);
}

function stateOf(differences: readonly FieldDifference[]): PlanState {
  const has = (wanted: FieldDifference['decision']): boolean => differences.some(({ decision }) => decision === wanted);
  if (has('conflict')) return 'conflict';
  if (has('change')) return 'change';
  return has('keep') ? 'keep' : 'same';
}

/** A thing that Tocsin does not have: a new one, or one that was deleted there. */
function absent(
  of: Omit<PlannedThing, 'state'>,
  body: Json,
  before: AppliedBody | undefined,
  take: Take | undefined,
): PlannedThing {
  if (before?.isAnswered === true) {
    const isUnchanged = canonical(before.body) === canonical(body);
    if (isUnchanged || take === 'ours') return { ...of, state: 'keep', why: 'It was deleted in Tocsin.' };
    if (take === undefined)
      return { ...of, state: 'conflict', why: 'It was changed in Opsgenie and deleted in Tocsin.' };
  }
  if (isHookWithoutUrl(of.kind, body))
    return {
      ...of,
      state: 'cannot',
      why: 'Its URL is masked in the snapshot. Fetch again with --with-secrets into another folder.',
    };
  return { ...of, state: 'create', body: withoutMasked(body) };
}

const isHookWithoutUrl = (kind: ImportKind, body: Json): boolean =>
  kind === 'integrations' && isMasked(body['url']) && /^webhook$/i.test(textIn(body, 'type') ?? '');

/** Why a thing cannot have its name: another one has it. */
function nameTaken(thing: ImportBody, { ids, present }: Pick<Situation, 'ids' | 'present'>): string | undefined {
  const other = otherOfName(thing, present);
  if (other === undefined || ids.has(`${thing.kind}/${other}`)) return undefined;
  return `Tocsin has [${thing.name}] with the id ${other}, the snapshot with ${thing.id}. Take both for the same with --adopt, or rename the one in Tocsin.`;
}

const unreadable = ({ unreadable: all }: Wanted): readonly PlannedThing[] =>
  all.flatMap(({ id, kind }) =>
    (IMPORT_KINDS as readonly string[]).includes(kind)
      ? [
          {
            kind: kind as ImportKind,
            id,
            name: id,
            state: 'cannot',
            differences: [],
            why: 'It could not be read from Opsgenie. Fetch again.',
          } as const,
        ]
      : [],
  );

/** Things that an earlier run wrote, and that the snapshot has no longer. */
function gone(ids: ReadonlySet<string>, present: Present, applied: Applied, choices: Choices): readonly PlannedThing[] {
  const adopted = new Set(applied.adopted.values());
  return [...applied.bodies].flatMap(([key, { body }]): readonly PlannedThing[] => {
    const at = key.indexOf('/');
    const [kind, id] = [key.slice(0, at) as ImportKind, key.slice(at + 1)];
    const isOwn = listKindOf(kind) === kind;
    if (ids.has(key) || !isOwn || !choices.kinds.has(kind) || !(present.ids.get(kind)?.has(id) ?? false)) return [];
    const name = textIn(body, 'username') ?? textIn(body, 'name') ?? id;
    const of = { kind, id, name, differences: [] };
    if (!choices.prune) return [{ ...of, state: 'gone', why: GONE }];
    const isChanged = isChangedSince(of, present, applied);
    return [{ ...of, ...pruned({ isChanged, isAdopted: adopted.has(id), take: choices.take }) }];
  });
}

const GONE = 'The snapshot has it no longer.';

/** What `--prune` does with a thing that the snapshot has no longer. */
function pruned(of: {
  readonly isAdopted: boolean;
  readonly isChanged: boolean;
  readonly take: Take | undefined;
}): Pick<PlannedThing, 'state' | 'why'> {
  if (of.isAdopted) return { state: 'keep', why: 'The snapshot has it no longer, and no import made it.' };
  if (!of.isChanged) return { state: 'delete', why: GONE };
  const why = 'It was deleted in Opsgenie and changed in Tocsin.';
  return { why, state: of.take === undefined ? 'conflict' : of.take === 'old' ? 'delete' : 'keep' };
}

/** Whether a thing, or the rules that belong to it, differ from what was written last. */
function isChangedSince(of: Pick<ImportBody, 'kind' | 'id'>, present: Present, applied: Applied): boolean {
  return IMPORT_KINDS.filter((kind) => listKindOf(kind) === of.kind).some((kind) => {
    const key = keyOf({ ...of, kind });
    const [base, ours] = [applied.bodies.get(key)?.body, present.bodies.get(key)?.body];
    return base !== undefined && ours !== undefined && merge(base, ours, base, undefined).differences.length > 0;
  });
}

/** Whether applying the plan writes anything, or a user has to decide first. */
export const changes = ({ things }: Plan): number =>
  things.filter(({ state }) => ['create', 'change', 'delete', 'conflict'].includes(state)).length;
