import type { Command } from 'commander';
import { oneOf } from '../arguments.ts';
import { CliError, EXIT } from '../cli-error.ts';
import type { Invocation } from '../invocation.ts';
import { TOCSIN_WRITE_ADVICE } from '../moving/advice.ts';
import { textIn } from '../moving/json.ts';
import { KINDS } from '../moving/kinds.ts';
import type { OpsgenieClient } from '../moving/opsgenie-client.ts';
import { type Applied, appliedIn } from '../moving/plan/applied.ts';
import type { Take } from '../moving/plan/merge.ts';
import { type Plan, planOf } from '../moving/plan/plan.ts';
import { type Asked, listKindOf, type Present, presentOf, uniqueName, unknownTypesOf } from '../moving/plan/present.ts';
import { typesIn, type Wanted, wantedOf } from '../moving/plan/wanted.ts';
import { Progress } from '../moving/progress.ts';
import { Snapshot } from '../moving/snapshot/reader.ts';
import { readingClient } from './import-options.ts';

/** What {@link withTarget} adds. */
export interface TargetOptions {
  readonly fromSnapshot: string;
  readonly since?: string;
  readonly zone?: string;
  readonly locale?: string;
}

/** What {@link withChoices} adds. */
export interface ChoiceOptions extends TargetOptions {
  readonly take?: Take;
  readonly adopt?: boolean;
  readonly prune?: boolean;
}

/** Adds the options that state what the API of an account does not show. */
export const withDecisions = (command: Command): Command =>
  command
    .option('--zone <zone>', 'the time zone of the account, such as Europe/Berlin')
    .option('--locale <locale>', 'the locale of the account, such as en_GB');

/** Adds the options that name a snapshot, for the Tocsin of the profile. */
export const withTarget = (command: Command): Command =>
  withDecisions(command.requiredOption('--from-snapshot <folder>', 'a snapshot of `tocsin import fetch`')).option(
    '--since <folder>',
    'the snapshot that was applied before: what was written from it tells a change in Opsgenie from one in Tocsin',
  );

/** Adds the options by which a user decides what the command cannot. */
export const withChoices = (command: Command): Command =>
  withTarget(command)
    .addOption(
      oneOf('--take <side>', 'decides what differs on both sides: old for Opsgenie, ours for Tocsin', ['old', 'ours']),
    )
    .option('--adopt', 'takes things of the same name with other ids for the same: they keep the ids of Tocsin')
    .option('--prune', 'deletes what an earlier run wrote and the snapshot has no longer');

/** @throws CliError (usage) for a zone or a locale that is none. */
export function requireDecisions({ locale, zone }: Pick<TargetOptions, 'locale' | 'zone'>): void {
  if (zone !== undefined && !isZone(zone))
    throw new CliError(EXIT.usage, `[${zone}] is not a time zone, such as Europe/Berlin.`);
  if (locale !== undefined && !/^[a-z]{2,3}(_[A-Z]{2})?$/.test(locale))
    throw new CliError(EXIT.usage, `[${locale}] is not a locale, such as en_GB.`);
}

function isZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** A snapshot, and the Tocsin into which it is moved. */
export interface Target {
  readonly client: OpsgenieClient;
  readonly snapshot: Snapshot;
  readonly wanted: Wanted;
  readonly present: Present;
  readonly applied: Applied;
}

/** Reads the snapshot, and what of it Tocsin has. @throws CliError (cannot say) where either cannot be read. */
export async function targetOf(invocation: Invocation, options: TargetOptions, mayWrite = false): Promise<Target> {
  requireDecisions(options);
  const snapshot = Snapshot.open(options.fromSnapshot);
  const client = readingClient(invocation, invocation.connection(), TOCSIN_WRITE_ADVICE, mayWrite);
  const now = invocation.io.now().getTime();
  const wanted = wantedOf(snapshot, options, await unknownTypesOf(client, typesIn(snapshot)), now);
  const before = options.since === undefined ? [] : [Snapshot.open(options.since).folder];
  const applied = appliedIn([...before, options.fromSnapshot], client.url);
  const present = await presentOf(client, askedOf(wanted, applied), now, progressOf(invocation));
  return { client, snapshot, wanted, applied, present };
}

/** Things are read by their ids, also those that were written before, and by their names where these may be those of other things. */
function askedOf({ bodies }: Wanted, { adopted, bodies: written }: Applied): Asked {
  const own = bodies.filter(({ kind }) => listKindOf(kind) === kind);
  const ids = new Set([...written.keys(), ...own.map(({ id, kind }) => `${kind}/${adopted.get(id) ?? id}`)]);
  const names = new Set(own.map(({ kind, name }) => `${kind}/${uniqueName(name)}`));
  const teams = new Set([...own, ...written.values()].flatMap(({ body }) => textIn(body, 'teamId') ?? []));
  const teamNames = own.filter(({ id, kind }) => kind === 'teams' && teams.has(id)).map(({ name }) => uniqueName(name));
  return {
    has: (kind, id, name) => ids.has(`${kind}/${id}`) || (name !== '' && names.has(`${kind}/${name}`)),
    policyTeams: { ids: new Set([...teams].map((id) => adopted.get(id) ?? id)), names: new Set(teamNames) },
  };
}

/** The plan of the snapshot for the Tocsin. */
export const planFor = ({ applied, present, snapshot, wanted }: Target, options: ChoiceOptions): Plan =>
  planOf(wanted, present, applied, {
    take: options.take,
    adopt: options.adopt ?? false,
    prune: options.prune ?? false,
    kinds: new Set(KINDS.filter((kind) => snapshot.has(kind))),
  });

export const progressOf = (invocation: Invocation, verb = 'Reading'): Progress =>
  new Progress(
    (text) => {
      invocation.progress(text);
    },
    () => performance.now(),
    verb,
  );
