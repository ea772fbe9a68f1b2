import { firstVersion, type Version } from '@tocsin/events';
import type { Escalation } from '../escalations/escalation.ts';
import { type ForwardingRule, Forwardings } from '../forwarding/forwarding.ts';
import type { Schedule } from '../schedules/schedule.ts';

type Entry = { readonly id: string; readonly createdAt: Date; readonly version: Version } & (
  { readonly name: string } | { readonly alias: string | undefined }
);

const nameOf = (entry: Entry): string | undefined => ('name' in entry ? entry.name : entry.alias);

/**
 * All entities of one kind, by id and by exact name or alias (E14), in the order of their creation (E7). Immutable.
 */
export class Catalogue<T extends Entry> {
  readonly #byId: ReadonlyMap<string, T>;
  readonly #byName: ReadonlyMap<string | undefined, T>;
  readonly #latest: T | undefined;

  constructor(items: Iterable<T> = []) {
    const ordered = [...items].sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1));
    this.#byId = new Map(ordered.map((item) => [item.id, item]));
    this.#byName = new Map(ordered.map((item) => [nameOf(item), item]));
    this.#latest = ordered.at(-1);
  }

  get(id: string): T | undefined {
    return this.#byId.get(id);
  }

  named(name: string): T | undefined {
    return this.#byName.get(name);
  }

  all(): readonly T[] {
    return [...this.#byId.values()];
  }

  /** The creation time of an entry that is added at `now`: later than that of every other, even where the clock runs behind (E7). */
  creationAt(now: Date): Date {
    const latest = this.#latest?.createdAt;
    return latest === undefined || latest < now ? now : new Date(latest.getTime() + 1);
  }

  /** The creation time and the version of the entry of this id: those that it has or, where there is none, those of one that is added at `now`. */
  originOf(id: string, now: Date): Pick<T, 'createdAt' | 'version'> {
    const { createdAt, version } = this.get(id) ?? { createdAt: this.creationAt(now), version: undefined };
    return { createdAt, version: version ?? firstVersion(createdAt) };
  }

  /** The catalogue once `put` and `removed` are written. */
  after({ put = [], removed = [] }: Writes<T>): Catalogue<T> {
    if (put.length === 0 && removed.length === 0) return this;
    const items = new Map(this.#byId);
    for (const { id } of removed) items.delete(id);
    for (const item of put) items.set(item.id, item);
    return new Catalogue(items.values());
  }
}

/** Everything that is configured, as of one revision. */
export interface Configuration {
  readonly schedules: Catalogue<Schedule>;
  readonly escalations: Catalogue<Escalation>;
  readonly forwardingRules: Catalogue<ForwardingRule>;
  /** The forwarding rules, indexed. */
  readonly forwardings: Forwardings;
}

export const configurationOf = (catalogues: Omit<Configuration, 'forwardings'>): Configuration => ({
  ...catalogues,
  forwardings: new Forwardings(catalogues.forwardingRules.all()),
});

export const EMPTY_CONFIGURATION: Configuration = configurationOf({
  schedules: new Catalogue(),
  escalations: new Catalogue(),
  forwardingRules: new Catalogue(),
});

export interface Writes<T> {
  /** Created, or replaced as a whole. */
  readonly put?: readonly T[];
  readonly removed?: readonly T[];
}

/** The changes of a decision, of which all are written or none, and the answer to its caller. */
export interface Change<T> {
  readonly schedules?: Writes<Schedule>;
  readonly escalations?: Writes<Escalation>;
  readonly forwardingRules?: Writes<ForwardingRule>;
  readonly answer: T;
}

/** The configuration after `change`. */
export function applyChange(present: Configuration, change: Change<unknown>): Configuration {
  const { schedules = {}, escalations = {}, forwardingRules = {} } = change;
  const rules = present.forwardingRules.after(forwardingRules);
  return {
    schedules: present.schedules.after(schedules),
    escalations: present.escalations.after(escalations),
    forwardingRules: rules,
    forwardings: rules === present.forwardingRules ? present.forwardings : new Forwardings(rules.all()),
  };
}

export const hasWrites = ({ schedules, escalations, forwardingRules }: Change<unknown>): boolean =>
  [schedules, escalations, forwardingRules].some(
    (writes) => (writes?.put?.length ?? 0) + (writes?.removed?.length ?? 0) > 0,
  );

/**
 * Reads and changes the configuration. Writers of all replicas decide one after the other. An interface, because `schedules`, `teams`,
 * `forwarding` and `escalations` change the same configuration and import no store of another noun.
 */
export interface ConfigurationAccess {
  /**
   * The configuration with every write that was answered before this call (E11, E13).
   *
   * @throws UnavailableError when the store is unavailable.
   */
  current(): Promise<Configuration>;
  /**
   * Writes the changes that `decide` returns for the present configuration, all of them or none, and publishes new states of schedules
   * and escalations. Resolves with the answer of `decide`. If another write comes in between, `decide` is called again. Where it
   * throws, its error is thrown and nothing is written.
   *
   * @throws UnavailableError when the store is unavailable or too many writers wait.
   */
  change<T>(decide: (present: Configuration) => Change<T>): Promise<T>;
}
