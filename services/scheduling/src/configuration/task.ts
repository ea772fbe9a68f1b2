import type { UserState } from '@tocsin/events';
import type { MessagingLogger, ReplicaView } from '@tocsin/kafka';
import type { ServiceContext } from '@tocsin/service';
import type { ReadinessMails } from '../readiness-mails/operations.ts';
import type { ConfigurationAccess } from './configuration.ts';
import { namedByOverridesAndRules, withoutUsers } from './orphaned-rules.ts';

export interface DeletedUserCleanupOptions {
  readonly store: ConfigurationAccess;
  readonly users: ReplicaView<UserState>;
  /** The users who have a link to their calendar, and the way to remove it. */
  readonly calendarLinks: { userIds(): Promise<readonly string[]>; remove(userId: string): Promise<void> };
  readonly readinessMails: Pick<ReadinessMails, 'followUsers'>;
}

/** Deletes the forwarding rules, overrides, calendar links and readiness mails of deleted users (S12, S16, U23). */
export class DeletedUserCleanup {
  readonly #options: DeletedUserCleanupOptions;

  constructor(options: DeletedUserCleanupOptions) {
    this.#options = options;
  }

  /**
   * Looks up every user whom an override or a forwarding rule names, or who has a calendar link or a readiness mail, and deletes what
   * belongs to deleted users. Idempotent, and safe in several replicas at once; each deletion of a rule or override is logged once.
   *
   * @throws UnavailableError when the store, or the owner of a user who is not known here, is unavailable; the reason of `signal` once it
   *   aborts before the deletion.
   */
  async sweep(log: Pick<MessagingLogger, 'info'>, signal?: AbortSignal): Promise<void> {
    const { calendarLinks, readinessMails, store } = this.#options;
    await readinessMails.followUsers(signal);
    const withoutUser = await this.#deletedAmong(new Set(await calendarLinks.userIds()), signal);
    for (const userId of withoutUser) await calendarLinks.remove(userId);
    const deleted = await this.#deletedAmong(namedByOverridesAndRules(await store.current()), signal);
    if (deleted.size === 0) return;
    const { forwardingRules, overrides } = await store.change((present) => withoutUsers(present, deleted));
    for (const { id, alias, fromUserId, toUserId } of forwardingRules) {
      log.info(
        { ruleId: id, alias, fromUserId, toUserId },
        'A forwarding rule was deleted, because its user was deleted.',
      );
    }
    for (const { schedule, override } of overrides) {
      const { alias, user } = override;
      log.info({ schedule, alias, user }, 'An override was deleted, because its user was deleted.');
    }
  }

  async #deletedAmong(userIds: ReadonlySet<string>, signal: AbortSignal | undefined): Promise<ReadonlySet<string>> {
    const { users } = this.#options;
    const deleted = new Set<string>();
    for (const id of userIds) {
      signal?.throwIfAborted();
      if (users.get(id) === undefined && (await users.fetch('id', id)) === undefined) deleted.add(id);
    }
    return deleted;
  }
}

/** An override or rule may be written while its user is deleted, so all are checked again every 10 minutes. */
const RECHECK_EVERY_MS = 600_000;
const NAME = 'remove-entries-of-deleted-users';

/**
 * Adds a task that removes the forwarding rules, overrides, calendar links and readiness mails of deleted users: at the start, when the
 * replica learns that a user was deleted, and every 10 minutes.
 */
export async function cleanUpDeletedUsers(
  { activity, lifecycle, logger, tasks }: Pick<ServiceContext, 'activity' | 'lifecycle' | 'logger' | 'tasks'>,
  {
    deletedUserCleanup,
    users,
  }: {
    deletedUserCleanup: Pick<DeletedUserCleanup, 'sweep'>;
    users: Pick<ReplicaView<UserState>, 'get' | 'whenChanged'>;
  },
): Promise<void> {
  let wanted = 1;
  let swept = 0;
  const activate = async (signal: AbortSignal): Promise<void> => {
    const current = wanted;
    await deletedUserCleanup.sweep(logger, signal);
    swept = current;
  };
  activity.add('deleted users', { pending: () => wanted - swept });
  tasks.add({ name: NAME, everyMs: RECHECK_EVERY_MS, timeoutMs: RECHECK_EVERY_MS, activate });
  await lifecycle.start(
    'watch for deleted users',
    () =>
      users.whenChanged((id) => {
        if (users.get(id) !== undefined) return;
        wanted += 1;
        tasks.wake(NAME);
      }),
    (end) => {
      end();
    },
  );
}
