import type { AlertCommand, AlertEvent, ResponderReference } from '@tocsin/contracts';
import { stateOf, type Alert } from './alert.ts';
import { aliasOf } from './create.ts';
import { decide } from './decide.ts';
import type { Decided, Resolution } from './decided.ts';
import type { LogEntry, Note } from './history.ts';
import { statusOf, type RequestStatus } from './request-status.ts';
import { resolveTimerId } from './responders.ts';

/** What the commands of one batch touch, as it stood before them. */
export interface World {
  /** Request ids that have settled already. */
  readonly settled: ReadonlySet<string>;
  /** The alerts that the commands name, and the open ones of the aliases that they create. */
  readonly alerts: readonly Alert[];
}

/** What settling may use besides the commands and the world: gathered before the transaction. */
export interface Means {
  readonly resolve: (reference: ResponderReference) => Resolution;
  /** The first of as many free numbers as the batch has creates. */
  readonly firstTinyId: number;
  readonly processedAt: Date;
}

/** A timer that is to publish the command `timer:<timerId>:<fence>` at `dueAt`. */
export interface TimerRow {
  readonly timerId: string;
  readonly fence: number;
  readonly dueAt: Date;
  readonly alertId: string;
}

/** What a timer carries. */
export type TimerPayload = Pick<TimerRow, 'alertId'>;

/** Everything that one transaction writes. */
export interface Changes {
  readonly inserted: readonly Alert[];
  readonly updated: readonly Alert[];
  readonly logs: readonly LogEntry[];
  readonly notes: readonly Note[];
  readonly statuses: readonly RequestStatus[];
  readonly timers: readonly TimerRow[];
  /** In the order of the commands; per alert with growing versions. */
  readonly events: readonly AlertEvent[];
}

/** The alerts of a batch while it is settled: what one command does is what the next one finds. */
class Desk {
  readonly #byId = new Map<string, Alert>();
  readonly #idByTiny = new Map<string, string>();
  readonly #openIdByAlias = new Map<string, string>();
  readonly #stored: ReadonlySet<string>;
  readonly #touched = new Set<string>();

  constructor(alerts: readonly Alert[]) {
    this.#stored = new Set(alerts.map(({ id }) => id));
    for (const alert of alerts) this.#hold(alert);
  }

  find(command: AlertCommand): Alert | undefined {
    if (command.kind === 'create') return this.#openOf(aliasOf(command));
    const { type, value } = command.identifier;
    if (type === 'alias') return this.#openOf(value);
    return this.#byId.get(type === 'id' ? value : (this.#idByTiny.get(value) ?? ''));
  }

  put(alert: Alert): void {
    this.#touched.add(alert.id);
    this.#hold(alert);
  }

  changes(): Pick<Changes, 'inserted' | 'updated'> {
    const alerts = [...this.#touched].map((id) => this.#byId.get(id)).filter((alert) => alert !== undefined);
    return {
      inserted: alerts.filter(({ id }) => !this.#stored.has(id)),
      updated: alerts.filter(({ id }) => this.#stored.has(id)),
    };
  }

  #openOf(alias: string): Alert | undefined {
    return this.#byId.get(this.#openIdByAlias.get(alias) ?? '');
  }

  #hold(alert: Alert): void {
    this.#byId.set(alert.id, alert);
    this.#idByTiny.set(String(alert.tinyId), alert.id);
    if (alert.status === 'open') this.#openIdByAlias.set(alert.alias, alert.id);
    else if (this.#openIdByAlias.get(alert.alias) === alert.id) this.#openIdByAlias.delete(alert.alias);
  }
}

/**
 * Settles commands one after the other. Pure: the same commands on the same world give the same changes, and a request id
 * that has settled, in the world or earlier in `commands`, changes nothing.
 */
export function settleCommands(commands: readonly AlertCommand[], world: World, means: Means): Changes {
  const desk = new Desk(world.alerts);
  const settled = new Set(world.settled);
  const logs: LogEntry[] = [];
  const notes: Note[] = [];
  const statuses: RequestStatus[] = [];
  const timers: TimerRow[] = [];
  const events: AlertEvent[] = [];
  let tinyId = means.firstTinyId;

  for (const command of commands) {
    if (settled.has(command.requestId)) continue;
    settled.add(command.requestId);
    const decided = decide(desk.find(command), command, { resolve: means.resolve, tinyId });
    if (command.kind === 'create') tinyId += 1;
    statuses.push(statusOf(command, decided, means.processedAt));
    if (decided.kind !== 'changed') continue;
    desk.put(decided.alert);
    logs.push(...decided.logs);
    notes.push(...decided.notes);
    timers.push(...timersOf(decided));
    publish(events, command, decided);
  }
  return { ...desk.changes(), logs, notes, statuses, timers, events };
}

type Changed = Extract<Decided, { kind: 'changed' }>;

function timersOf({ alert, retryAt }: Changed): readonly TimerRow[] {
  if (retryAt === undefined || alert.unresolved === undefined) return [];
  const fence = alert.unresolved.attempt;
  return [{ timerId: resolveTimerId(alert.id), fence, dueAt: retryAt, alertId: alert.id }];
}

/**
 * Appends the event of one command. A repeat right after another event of its alert joins that one: it changes nothing of
 * what others act on, and a storm of repeats is not to become a storm of events.
 */
function publish(events: AlertEvent[], command: AlertCommand, { alert, fact }: Changed): void {
  const facts = fact === undefined ? [] : [fact];
  const last = events.at(-1);
  if (fact?.kind === 'repeated' && last?.alertId === alert.id) {
    events[events.length - 1] = {
      ...last,
      version: alert.version,
      state: stateOf(alert),
      facts: [...last.facts, ...facts],
    };
    return;
  }
  const { acceptedAt } = command.stamp;
  events.push({ alertId: alert.id, version: alert.version, state: stateOf(alert), facts, acceptedAt });
}
