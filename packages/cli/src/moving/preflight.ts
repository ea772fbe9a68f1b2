import { OPSGENIE_ADVICE } from './advice.ts';
import { ApiReadError } from './answer.ts';
import { type Json, numberIn, objectIn, textIn } from './json.ts';
import { kindOf, KINDS, type KindName, whyUnavailable } from './kinds.ts';
import type { OpsgenieClient } from './opsgenie-client.ts';

/** The day on which the old API ends. */
const END_OF_API = '2027-04-05';
const DAY_MS = 86_400_000;

/** What `preflight` says about an account. */
export interface Preflight {
  readonly account: { readonly name: string; readonly plan?: string; readonly users?: number };
  readonly url: string;
  readonly daysLeft: number;
  readonly counts: readonly KindCount[];
  /** What stops the move until it is changed. */
  readonly blocks: readonly Remark[];
  /** What a person has to choose, with an option of the command that states the choice. */
  readonly decide: readonly Remark[];
  /** What the API does not show. */
  readonly notReadable: readonly Remark[];
  /** What a person has to look up before the migration day of the vendor, because the API does not show it. */
  readonly checkBefore: readonly Remark[];
}

interface KindCount {
  readonly kind: KindName;
  /** Undefined where the account has no such list; `why` says why. */
  readonly count?: number;
  readonly why?: string;
}

/** Something that is so, and what to do. */
export interface Remark {
  readonly what: string;
  readonly remedy: string;
}

/** What the user has decided. */
export interface Decisions {
  readonly zone?: string | undefined;
  readonly locale?: string | undefined;
}

/**
 * Reads what can be known before a move.
 *
 * @throws ApiReadError where the account cannot be read: the key is of a team, has no access to the configuration, or is not known; or the
 *   address is not that of the API.
 */
export async function preflight(
  client: OpsgenieClient,
  decisions: Decisions,
  now: Date,
  progress: (text: string) => void,
): Promise<Preflight> {
  const account = await accountOf(client);
  const counts: KindCount[] = [];
  const read: Partial<Record<KindName, readonly Json[]>> = {};
  for (const kind of KINDS.slice(1)) {
    progress(`Reading the list of ${kind}`);
    const found = await countOf(client, kind);
    counts.push(found.count);
    read[kind] = found.items;
  }
  const plan = textIn(objectIn(account, 'plan'), 'name');
  const users = counts.find(({ kind }) => kind === 'users')?.count;
  return {
    account: {
      name: textIn(account, 'name') ?? '',
      ...(plan !== undefined && { plan }),
      ...(users !== undefined && { users }),
    },
    url: client.url,
    daysLeft: Math.ceil((Date.parse(`${END_OF_API}T00:00:00Z`) - now.getTime()) / DAY_MS),
    counts,
    blocks: [...planBlocks(account, users), ...teamBlocks(read.teams ?? [])],
    decide: decisionsLeft(decisions, read),
    notReadable: NOT_READABLE,
    checkBefore: CHECK_BEFORE,
  };
}

async function accountOf(client: OpsgenieClient): Promise<Json> {
  try {
    return await client.object('/v2/account');
  } catch (error) {
    if (error instanceof ApiReadError && error.fault === 'missing')
      throw new ApiReadError(
        'wrong-host',
        `${client.url} answers, but has no account: it is not the address of the API.`,
        [...error.details, OPSGENIE_ADVICE.address],
      );
    throw error;
  }
}

/** Of users, of whom there are the most, only the first page is read. */
async function countOf(
  client: OpsgenieClient,
  kind: KindName,
): Promise<{ readonly count: KindCount; readonly items: readonly Json[] }> {
  try {
    if (kind === 'users') {
      const items = await client.list('/v2/users', { limit: 100 });
      return { count: { kind, count: await client.count('/v2/users') }, items };
    }
    const items = (await kindOf(kind).list(client)).map(({ item }) => item);
    return { count: { kind, count: items.length }, items };
  } catch (error) {
    const why = whyUnavailable(error);
    if (why === undefined) throw error;
    return { count: { kind, why }, items: [] };
  }
}

function planBlocks(account: Json, users = 0): readonly Remark[] {
  const most = numberIn(objectIn(account, 'plan'), 'maxUserCount');
  if (most === undefined || users <= most) return [];
  return [
    {
      what: `The account has ${users} users and its plan ${most}: an account that is over its plan is not ready for the vendor's migration.`,
      remedy: 'Delete users who left, or change the plan, before the migration day.',
    },
  ];
}

/** Teams whose names differ in letter case or white space alone are one team after the vendor's migration. */
function teamBlocks(teams: readonly Json[]): readonly Remark[] {
  const byName = Map.groupBy(teams, (team) => (textIn(team, 'name') ?? '').trim().toLowerCase());
  return [...byName.values()]
    .filter((same) => same.length > 1)
    .map((same) => ({
      what: `The teams ${same.map((team) => `[${textIn(team, 'name') ?? ''}]`).join(' and ')} differ in letter case or spaces alone: a migration that merges teams by name deletes all but one of them for good.`,
      remedy: 'Rename or merge them yourself before the migration day.',
    }));
}

function decisionsLeft(
  { locale, zone }: Decisions,
  { schedules = [], users = [] }: Partial<Record<KindName, readonly Json[]>>,
): readonly Remark[] {
  const zones = [
    ...schedules.map((each) => textIn(each, 'timezone')),
    ...users.map((each) => textIn(each, 'timeZone')),
  ];
  const locales = users.map((each) => textIn(each, 'locale'));
  return [
    ...(zone === undefined ? [undecided('time zone', '--zone Europe/Berlin', mostFrequent(zones))] : []),
    ...(locale === undefined ? [undecided('locale', '--locale en_GB', mostFrequent(locales))] : []),
  ];
}

function undecided(what: string, example: string, proposal: string | undefined): Remark {
  const hidden = `The API does not show the ${what} of the account`;
  const [option = ''] = example.split(' ');
  return proposal === undefined
    ? {
        what: `${hidden}, and nothing that was read has one.`,
        remedy: `Look it up in Settings, and state it, such as ${example}`,
      }
    : {
        what: `${hidden}. Most of what was read has ${proposal}.`,
        remedy: `Look it up in Settings, and state it: ${option} ${proposal}`,
      };
}

function mostFrequent(values: readonly (string | undefined)[]): string | undefined {
  const groups = Map.groupBy(
    values.filter((value) => value !== undefined),
    (value) => value,
  );
  return [...groups].sort(([, a], [, b]) => b.length - a.length)[0]?.[0];
}

/** Whether a pipeline may go on. */
export const isReady = ({ blocks, daysLeft, decide }: Preflight): boolean =>
  blocks.length === 0 && decide.length === 0 && daysLeft > 0;

const NOT_READABLE: readonly Remark[] = [
  {
    what: 'Keys of integrations.',
    remedy: 'Keep a list of integration id and key, or the output of `terraform show -json`.',
  },
  { what: 'Single sign-on.', remedy: 'Set it up again: docs/how-to/sign-in.md.' },
  { what: 'Mobile devices of users.', remedy: 'Each user registers their device again.' },
  { what: 'Verification of telephone numbers.', remedy: 'Each user verifies their numbers again.' },
  { what: 'Incoming call routing.', remedy: 'Note its numbers and recipients by hand.' },
];

const CHECK_BEFORE: readonly Remark[] = [
  {
    what: 'Billing: an unpaid invoice or a change of the plan that is under way stops a migration.',
    remedy: 'Look at Settings, Billing.',
  },
  {
    what: 'The staged roll-out: the vendor gives each account its own migration day.',
    remedy: 'Note the day that Settings, or the mail to the owner, names, and finish the move before it.',
  },
  {
    what: 'Suspension: an account that is suspended answers nothing, and pages no user.',
    remedy: 'Run `tocsin import fetch` now, not on the last day.',
  },
  {
    what: 'Merges of teams: teams that the vendor merges with teams of the same name elsewhere are deleted for good.',
    remedy: 'Choose no merge before the snapshot is complete.',
  },
];
