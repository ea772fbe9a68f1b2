import { CliError, EXIT } from '../../cli-error.ts';
import { mapConcurrent } from '../../map-concurrent.ts';
import { ApiReadError } from '../answer.ts';
import { oldestFirst } from '../history/oldest-first.ts';
import { type Json, objectIn, objectsIn, textIn } from '../json.ts';
import { CONCURRENT_REQUESTS } from '../kinds.ts';
import type { OpsgenieClient } from '../opsgenie-client.ts';
import { differs, logOf, MAX_LOG_LINES, recipientsOf } from './compare.ts';
import type { ComparedAlert } from './compared-file.ts';
import { comparedUsers, endedMs, type Reached, reachedIn } from './reached.ts';
import { createOf } from './writes.ts';

/** A simulation goes no further (A18). */
const MAX_SIMULATED_MS = 7 * 86_400_000;
/** Of further differences no logs are read. */
const MAX_LOGS = 1_000;

interface ReplayPorts {
  readonly opsgenie: OpsgenieClient;
  /** Asks Tocsin what would become of an alert; it answers one such question of a key at a time. */
  readonly simulate: (body: Json) => Promise<Json>;
  /** The id in Tocsin of a user, team, schedule or escalation of Opsgenie. */
  readonly idOf: (id: string) => string;
  readonly now: () => Date;
}

/**
 * Compares which users Opsgenie reached by each alert that was created since with those to whom Tocsin would have sent a message, if no user had
 * acted until one acknowledged or closed the alert in Opsgenie. Calls `each` with every alert in the order of their creation.
 *
 * @throws ApiReadError or CliError where a side cannot be asked.
 */
export async function replay(
  ports: ReplayPorts,
  { since, toleranceMs }: { readonly since: Date; readonly toleranceMs: number },
  each: (alert: ComparedAlert) => void,
): Promise<void> {
  let logs = 0;
  for await (const page of oldestFirst(ports.opsgenie, { fromMs: since.getTime() })) {
    const read = await mapConcurrent(CONCURRENT_REQUESTS, page, (alert) => readAlert(ports.opsgenie, alert));
    for (const alert of read) {
      const { compared, steps } = await replayed(ports, alert, toleranceMs);
      const isShown = differs(compared) && (logs += 1) <= MAX_LOGS;
      each(
        isShown ? { ...compared, logs: { theirs: await logOf(ports.opsgenie, compared.id), ours: steps } } : compared,
      );
    }
  }
}

/** An alert as Opsgenie has it, and whom it reached. */
interface ReadAlert {
  readonly listed: Json;
  readonly whole: Json;
  readonly theirs: readonly Reached[];
}

/** An alert of which one of both is not known, and why. */
interface UnreadAlert {
  readonly listed: Json;
  readonly why: string;
}

async function readAlert(opsgenie: OpsgenieClient, listed: Json): Promise<ReadAlert | UnreadAlert> {
  const id = textIn(listed, 'id') ?? '';
  const deleted = { listed, why: 'Opsgenie has deleted the alert.' };
  try {
    const whole = await opsgenie.object(`/v2/alerts/${encodeURIComponent(id)}`);
    const recipients = await recipientsOf(opsgenie, id);
    if (recipients === undefined) return deleted;
    const theirs = reachedIn(recipients);
    if (theirs === undefined) return { listed, why: 'A recipient of the alert has no user or no time.' };
    return { listed, whole: { ...whole, ...listed }, theirs };
  } catch (error) {
    if (error instanceof ApiReadError && error.fault === 'missing') return deleted;
    throw error;
  }
}

/** A compared alert, and the decisions of the simulation. */
interface Replayed {
  readonly compared: ComparedAlert;
  readonly steps: readonly string[];
}

async function replayed(ports: ReplayPorts, alert: ReadAlert | UnreadAlert, toleranceMs: number): Promise<Replayed> {
  const { listed } = alert;
  const about = {
    ...{ id: textIn(listed, 'id') ?? '', message: textIn(listed, 'message') ?? '' },
    ...{ createdAt: textIn(listed, 'createdAt') ?? '', teamId: textIn(listed, 'ownerTeamId') },
  };
  const without = (notComparable: string): Replayed => ({
    compared: { ...about, users: [], notComparable },
    steps: [],
  });
  if ('why' in alert) return without(alert.why);
  const { theirs, whole } = alert;
  const simulation = await simulationOf(ports, whole, about.createdAt);
  if (typeof simulation === 'string') return without(simulation);
  const nowMs = ports.now().getTime();
  const ended = endedMs(listed);
  const untilMs = Math.min(ended ?? nowMs, Date.parse(about.createdAt) + MAX_SIMULATED_MS) + toleranceMs;
  const reachedBefore = (reached: readonly Reached[]): readonly Reached[] =>
    reached.filter(({ atMs }) => atMs <= untilMs);
  if (simulation.isCut && simulation.lastMs < untilMs) return without('The simulation is longer than its answer.');
  const users = comparedUsers({
    ...{ theirs: reachedBefore(theirs), ours: reachedBefore(simulation.reached), endedMs: ended },
    ...{ toleranceMs, untilMs: nowMs - toleranceMs },
  });
  return { compared: { ...about, users }, steps: simulation.steps };
}

/** What would become of an alert. */
interface Simulation {
  readonly reached: readonly Reached[];
  readonly steps: readonly string[];
  /** Whether more would follow, after `lastMs`. */
  readonly isCut: boolean;
  readonly lastMs: number;
}

/** The simulation of an alert that is created at that time, or why there is none. It has no alias, so no open alert counts it. */
async function simulationOf(
  { idOf, simulate }: ReplayPorts,
  alert: Json,
  createdAt: string,
): Promise<Simulation | string> {
  const { alias, ...body } = createOf(alert, idOf).body;
  try {
    return simulationIn(await simulate({ ...body, at: createdAt }));
  } catch (error) {
    const isAboutAlert =
      error instanceof CliError && (error.exitCode === EXIT.failed || error.exitCode === EXIT.missing);
    if (isAboutAlert) return ['Tocsin refuses the simulation:', error.message, ...error.details].join(' ');
    throw error;
  }
}

function simulationIn(answer: Json): Simulation {
  const steps = objectsIn(answer, 'steps');
  const reason = textIn(answer, 'reason');
  const lines = steps
    .slice(0, MAX_LOG_LINES)
    .map((step) => `${textIn(step, 'at') ?? ''} ${textIn(step, 'text') ?? ''}`);
  return {
    reached: objectsIn(answer, 'messages').flatMap(messagedIn),
    steps: [...lines, ...(reason === undefined ? [] : [reason])],
    isCut: answer['truncated'] === true,
    lastMs: Math.max(0, ...steps.map(({ at }) => Date.parse(String(at)))),
  };
}

/** The user of a message. The first one counts. */
function messagedIn(message: Json): readonly Reached[] {
  const user = textIn(objectIn(message, 'user'), 'username')?.toLowerCase();
  return user === undefined ? [] : [{ user, atMs: Date.parse(textIn(message, 'at') ?? '') }];
}
