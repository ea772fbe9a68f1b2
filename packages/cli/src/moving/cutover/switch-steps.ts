import { counted } from '../../output/text.ts';
import { type Json, textIn } from '../json.ts';
import { learnedKeys } from '../learned-keys.ts';
import type { OpsgenieClient } from '../opsgenie-client.ts';
import { sendersOf } from '../retire.ts';
import { MirrorFile } from '../shadow/mirror-file.ts';
import { type Condition, type ConditionName, readFaultOf } from './condition.ts';

/** A step of the switch, and what is still to be done or awaited for it. */
export interface SwitchStep {
  readonly step: number;
  readonly title: string;
  readonly missing: readonly string[];
}

export interface StepsWanted {
  readonly opsgenie: OpsgenieClient;
  readonly tocsin: OpsgenieClient;
  /** The folder of the mirror. */
  readonly place: string;
  readonly now: Date;
  readonly conditions: readonly Condition[];
  /** When the snapshot was fetched; undefined where that is not known. */
  readonly fetchedAt: Date | undefined;
}

const DAY_MS = 86_400_000;
const MAX_MISSING = 100;

/** The five steps of the switch, in their order. @throws an error other than CliError, and an interruption. */
export async function switchSteps(wanted: StepsWanted): Promise<readonly SwitchStep[]> {
  const { conditions, opsgenie, tocsin } = wanted;
  const open = (...names: readonly ConditionName[]): readonly string[] =>
    conditions
      .filter(({ name, state }) => names.includes(name) && state !== 'met')
      .map(({ name, state, summary }) => `${name} is ${state}: ${summary}`);
  const titled: readonly (readonly [title: string, missing: readonly string[]])[] = [
    ['Fetch anew, apply, verify, and compare who is on call', [...oldSnapshot(wanted), ...open('imported', 'on-call')]],
    ['Have each tool send to Tocsin, and import its key', await orNotKnown(() => toolsLeft(wanted))],
    ['End `tocsin shadow mirror`', await orNotKnown(() => mirrorLeft(wanted))],
    ['`tocsin shadow stop`: Tocsin pages users', open('duration', 'alerts', 'differences')],
    [
      'Enable the heartbeats, and send a test alert by one tool of each team',
      await orNotKnown(() => heartbeatsLeft(opsgenie, tocsin)),
    ],
  ];
  return titled.map(([title, missing], at) => ({ step: at + 1, title, missing: cutTo(MAX_MISSING, missing) }));
}

const cutTo = (limit: number, lines: readonly string[]): readonly string[] =>
  lines.length <= limit ? lines : [...lines.slice(0, limit), `and ${lines.length - limit} more`];

async function orNotKnown(read: () => readonly string[] | Promise<readonly string[]>): Promise<readonly string[]> {
  try {
    return await read();
  } catch (error) {
    return [`Not known: ${readFaultOf(error).message}`];
  }
}

function oldSnapshot({ fetchedAt, now }: StepsWanted): readonly string[] {
  const isFresh = fetchedAt !== undefined && now.getTime() - fetchedAt.getTime() < DAY_MS;
  return isFresh || fetchedAt === undefined ? [] : [`The snapshot was fetched at ${fetchedAt.toISOString()}.`];
}

/** An integration counts as moved once one of its tools sends through Tocsin with a key that is imported. */
async function toolsLeft({ now, opsgenie, tocsin }: StepsWanted): Promise<readonly string[]> {
  const since = new Date(now.getTime() - DAY_MS);
  const keys = (await learnedKeys(tocsin)).filter(({ lastAt }) => Date.parse(lastAt) >= since.getTime());
  const moved = new Set(keys.flatMap(({ integration }) => integration ?? []));
  const notImported = keys.filter(({ integration }) => integration === undefined);
  return [
    ...(await sendersOf(opsgenie, since))
      .filter(({ integration }) => integration === undefined || !moved.has(integration))
      .map(
        ({ alerts, integration = 'No integration' }) =>
          `${integration} sent ${counted(alerts, 'alert')} to Opsgenie in the last 24 hours, and none through Tocsin with an imported key.`,
      ),
    ...notImported.map(
      ({ requests, sha256 }) =>
        `The key ${sha256.slice(0, 12)}… sent ${counted(requests, 'request')} through Tocsin and is not imported: tocsin import keys`,
    ),
  ];
}

async function heartbeatsLeft(opsgenie: OpsgenieClient, tocsin: OpsgenieClient): Promise<readonly string[]> {
  const path = '/v2/heartbeats';
  const isEnabled = (item: Json): boolean => item['enabled'] === true;
  const enabled = new Set((await tocsin.list(path)).filter(isEnabled).map((item) => textIn(item, 'name')));
  return (await opsgenie.list(path))
    .filter((item) => isEnabled(item) && !enabled.has(textIn(item, 'name')))
    .map((item) => `The heartbeat [${textIn(item, 'name') ?? ''}] is not enabled in Tocsin.`);
}

function mirrorLeft({ opsgenie, place, tocsin }: StepsWanted): readonly string[] {
  if (!MirrorFile.isIn(place)) return [`${place} has no mirror.`];
  const { isCut, refused } = MirrorFile.refusedIn(place, { from: opsgenie.url, to: tocsin.url });
  return [
    ...(refused.length > 0
      ? [`Tocsin refused ${counted(refused.length, 'alert')}: \`tocsin shadow mirror\` names them.`]
      : []),
    ...(isCut ? ['Tocsin refused more than 1000 alerts at once, of which some are not tried again.'] : []),
    ...(MirrorFile.isOpenIn(place) ? ['It runs: end it with Ctrl-C, after a look that mirrors 0 alerts.'] : []),
  ];
}
