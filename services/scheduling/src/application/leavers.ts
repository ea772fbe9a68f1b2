import type { UserState } from '@tocsin/contracts';
import type { ReplicaView } from '@tocsin/messaging';
import { namedByOverridesAndRules, withoutUsers } from '../domain/leavers.ts';
import type { ConfigurationStore } from '../ports/configuration-store.ts';

export interface LeaversPorts {
  readonly store: ConfigurationStore;
  readonly users: ReplicaView<UserState>;
}

/** Logs what was deleted. */
export interface LeaversLog {
  info(facts: Readonly<Record<string, unknown>>, message: string): void;
}

/** Deletes the forwarding rules and overrides of deleted users (S12). */
export class Leavers {
  readonly #ports: LeaversPorts;

  constructor(ports: LeaversPorts) {
    this.#ports = ports;
  }

  /**
   * Looks up every user whom an override or a forwarding rule names, and deletes those of users whom the directory calls
   * deleted. Idempotent, and safe in several replicas at once; each deletion is logged once.
   *
   * @throws UnavailableError when the store, or the owner of a user who is not known here, is away; the reason of `signal` once it
   *   aborts before the deletion.
   */
  async sweep(log: LeaversLog, signal?: AbortSignal): Promise<void> {
    const { store } = this.#ports;
    const gone = await this.#gone(namedByOverridesAndRules(await store.current()), signal);
    if (gone.size === 0) return;
    const { forwardingRules, overrides } = await store.change((present) => withoutUsers(present, gone));
    for (const { id, alias, fromUserId, toUserId } of forwardingRules) {
      log.info({ ruleId: id, alias, fromUserId, toUserId }, 'a forwarding rule went with its user');
    }
    for (const { schedule, override } of overrides) {
      const { alias, user } = override;
      log.info({ schedule, alias, user }, 'an override went with its user');
    }
  }

  async #gone(named: ReadonlySet<string>, signal: AbortSignal | undefined): Promise<ReadonlySet<string>> {
    const { users } = this.#ports;
    const gone = new Set<string>();
    for (const id of named) {
      signal?.throwIfAborted();
      if (users.get(id) === undefined && (await users.fetch('id', id)) === undefined) gone.add(id);
    }
    return gone;
  }
}
