import { CliError, EXIT } from '../../cli-error.ts';
import { counted } from '../../output/text.ts';
import { canonical, type ImportBody, type Loss, type Side } from '../bodies/body.ts';
import { convert } from '../bodies/convert.ts';
import { type Json, numberIn, objectsIn, textIn } from '../json.ts';
import { KINDS, type KindName } from '../kinds.ts';
import type { Decisions } from '../preflight.ts';
import type { Snapshot } from '../snapshot/reader.ts';

/** What a snapshot is to become. */
export interface Wanted {
  readonly bodies: readonly ImportBody[];
  readonly losses: readonly Loss[];
  /** Things that could not be read when the snapshot was fetched. */
  readonly unreadable: readonly Pick<Loss, 'id' | 'kind'>[];
}

/** The types of all integrations of a snapshot, each once. */
export const typesIn = (snapshot: Snapshot): readonly string[] => [
  ...new Set([...snapshot.things('integrations')].map(({ value }) => textIn(value, 'type') ?? 'API')),
];

/**
 * The bodies that move a snapshot, each kind in the order of its list, and what they lose.
 *
 * @throws CliError (cannot say) where things state no zone or no locale and the user states none; where a file is damaged.
 */
export function wantedOf(
  snapshot: Snapshot,
  decisions: Decisions,
  unknownTypes: ReadonlySet<string>,
  now: number,
): Wanted {
  const side: Side = {
    ...{ zone: decisions.zone, locale: decisions.locale, unknownTypes, isTocsin: false },
    endedBefore: now,
    roles: idsIn(snapshot, 'roles'),
    policies: idsIn(snapshot, 'policies'),
  };
  const [bodies, losses]: [ImportBody[], Loss[]] = [[], []];
  const unreadable: Pick<Loss, 'id' | 'kind'>[] = [];
  for (const kind of KINDS) {
    const entry = snapshot.manifest.kinds[kind];
    const broken = new Set(entry !== undefined && 'unreadable' in entry ? entry.unreadable : []);
    for (const { id, parts, value } of snapshot.things(kind)) {
      if (broken.has(id)) {
        unreadable.push({ kind, id });
        continue;
      }
      const found = convert(kind, id, { value, parts }, side);
      bodies.push(...found.bodies);
      losses.push(...found.losses);
    }
  }
  requireDecided(bodies);
  return { bodies: ranked(bodies), losses, unreadable };
}

const idsIn = (snapshot: Snapshot, kind: KindName): ReadonlySet<string> =>
  new Set([...snapshot.things(kind)].map(({ id }) => id));

function requireDecided(bodies: readonly ImportBody[]): void {
  const withoutZone = bodies.filter(({ body, kind }) => {
    if (kind === 'users') return body['timeZone'] === undefined;
    if (kind === 'schedules') return body['timezone'] === undefined;
    return kind === 'routing-rules' && objectsIn(body, 'rules').some((rule) => rule['timezone'] === undefined);
  });
  const withoutLocale = bodies.filter(({ body, kind }) => kind === 'users' && body['locale'] === undefined);
  if (withoutZone.length > 0) throw undecided(withoutZone.length, 'time zone', '--zone Europe/Berlin');
  if (withoutLocale.length > 0) throw undecided(withoutLocale.length, 'locale', '--locale en_GB');
}

const undecided = (count: number, what: string, example: string): CliError =>
  new CliError(
    EXIT.cannotSay,
    `${counted(count, 'thing')} of the snapshot have the ${what} of the account, which the API does not show.`,
    [`Look it up in Settings, and state it, such as ${example}`],
  );

/** Policies with their places in their lists, which have no gaps in Tocsin, and in the order of these. */
function ranked(bodies: readonly ImportBody[]): readonly ImportBody[] {
  const isPolicy = ({ kind }: ImportBody): boolean => kind === 'policies' || kind === 'policies-v1';
  const lists = Map.groupBy(bodies.filter(isPolicy), ({ body, kind }) =>
    canonical([kind, body['teamId'], kind === 'policies' ? body['type'] : '']),
  );
  const inOrder = [...lists.values()].flatMap((list) =>
    [...list].sort((a, b) => placeOf(a.body) - placeOf(b.body)).map(placed),
  );
  return [...bodies.filter((each) => !isPolicy(each)), ...inOrder];
}

const placeOf = (body: Json): number => numberIn(body, 'order') ?? 0;

const placed = (policy: ImportBody, order: number): ImportBody =>
  policy.kind === 'policies' ? { ...policy, body: { ...policy.body, order } } : withoutPlace(policy);

/** Version 1 numbers the policies of a group, which has policies of several types: they keep their order as they are created. */
export function withoutPlace(policy: ImportBody): ImportBody {
  const { order, ...body } = policy.body;
  return { ...policy, body };
}
