import { isDeepStrictEqual } from 'node:util';
import { v5 as uuidOf } from 'uuid';
import type { CopyNotificationRulesBody } from '@tocsin/api';
import type { UserSchedules } from '../schedules/operations.ts';
import {
  unknownUser,
  type User,
  type UserBatch,
  type UserChange,
  type UserName,
  userReference,
  type UserReference,
} from '../users/user.ts';
import type { PendingCopyStore } from './copy-store.ts';
import {
  type CopyRules,
  type CopyTarget,
  leftOutOf,
  type PendingCopy,
  type RuleCopy,
  USERS_PER_WRITE,
  withCopies,
} from './copy.ts';
import { listed } from './notification-rule.ts';
import type { RuleChanges } from './operations.ts';

/** The result of copying. */
export interface CopyReport {
  /** How many users get the copies. */
  readonly users: number;
  /** Whether they have them already. */
  readonly done: boolean;
  /** The parts that are not copied and why, in sentences; at most {@link MAX_LEFT_OUT}, and whether there are more. */
  readonly leftOut: readonly string[];
  readonly more: boolean;
}

export interface CopyNotificationRulesDependencies {
  /** The users that exist, in no order. */
  readonly userNames: (references: readonly UserReference[]) => Promise<readonly UserName[]>;
  readonly userBatches: {
    next(batch: UserBatch): Promise<readonly CopyTarget[]>;
    changeAll<T>(
      ids: readonly string[],
      work: (user: User) => Pick<UserChange<T>, 'user' | 'answer'>,
    ): Promise<readonly T[]>;
  };
  readonly pendingCopies: Pick<PendingCopyStore, 'keep'>;
  readonly ruleChanges: RuleChanges;
  readonly userSchedules: UserSchedules;
  readonly newId: () => string;
}

const READ_BATCH = 1_000;
const MAX_LEFT_OUT = 100;

/** Namespace of the ids of copies; with another one, a repeated copy would have another id. */
const COPIES = 'a7f3d0de-3f0c-4e6e-9a53-0f7c9c5a1d42';

/**
 * Copies notification rules to other users (part 3, 4.3; U12).
 *
 * It copies the rules that the user has at its beginning. A user gets all copies or none. A few users get them before the answer, more
 * users after it, some in each transaction, also where processes crash. A repeat changes nothing, because the copies have the same ids.
 */
export class CopyNotificationRules {
  readonly #ports: CopyNotificationRulesDependencies;

  constructor(ports: CopyNotificationRulesDependencies) {
    this.#ports = ports;
  }

  /**
   * Each user gets the copies once, and the user who has the rules does not.
   *
   * @throws NotFoundError that names a user who does not exist; then nothing is copied.
   * @throws UnavailableError when the schedules of users are needed and scheduling does not answer.
   */
  async run(user: string, { toUsers, actionTypes }: CopyNotificationRulesBody): Promise<CopyReport> {
    const { id: sourceId, notificationRules } = await this.#ports.ruleChanges.user(user);
    const among = toUsers === 'everybody' ? undefined : await this.#existing(toUsers);
    const rules = listed(notificationRules).filter(({ actionType }) => actionTypes.includes(actionType));
    const pending = { id: this.#ports.newId(), sourceId, rules, actionTypes, among, after: undefined };
    const copy = await this.#copyOf(pending);
    const { users, leftOut } = await this.#survey(pending, copy);
    if (users > USERS_PER_WRITE) {
      await this.#ports.pendingCopies.keep(pending);
      return { users, done: false, ...firstOf(leftOut) };
    }
    return this.#copyNow(pending, copy, users + 1);
  }

  /**
   * Loads the input of a pending copy. The result is pure.
   *
   * @throws UnavailableError as `run` does.
   */
  async prepare(pending: PendingCopy): Promise<CopyRules> {
    const copy = await this.#copyOf(pending);
    return (user) => (user.id === pending.sourceId ? user : copied(user, copy).user);
  }

  async #existing(identifiers: readonly string[]): Promise<readonly string[]> {
    const references = identifiers.map((identifier) => userReference(identifier.trim()));
    const found = await this.#ports.userNames(references);
    const isFound = (reference: UserReference) =>
      found.some(({ id, username }) => ('id' in reference ? id === reference.id : username === reference.username));
    const unknown = references.findIndex((reference) => !isFound(reference));
    if (unknown >= 0) throw unknownUser(identifiers[unknown] ?? '');
    return found.map(({ id }) => id);
  }

  async #copyOf({ rules, actionTypes }: PendingCopy): Promise<RuleCopy> {
    const scheduleIds = new Set(rules.flatMap((rule) => rule.scheduleIds ?? []));
    return { rules, actionTypes, ownersOf: await this.#ports.userSchedules.owners([...scheduleIds]), idOf };
  }

  /** The number of users who get copies, and the parts that the first of them will not get. Writes nothing. */
  async #survey({ among, sourceId }: PendingCopy, copy: RuleCopy) {
    const leftOutFor = leftOutOf(copy);
    let users = 0;
    const leftOut: string[] = [];
    let after: string | undefined;
    do {
      const next = await this.#ports.userBatches.next({ among, after, limit: READ_BATCH });
      const targets = next.filter(({ id }) => id !== sourceId);
      users += targets.length;
      for (const target of targets) if (leftOut.length <= MAX_LEFT_OUT) leftOut.push(...leftOutFor(target));
      after = next.at(-1)?.id;
    } while (after !== undefined);
    return { users, leftOut };
  }

  /** Copies to the first users. */
  async #copyNow({ among, sourceId }: PendingCopy, copy: RuleCopy, limit: number): Promise<CopyReport> {
    const { userBatches } = this.#ports;
    const ids = (await userBatches.next({ among, after: undefined, limit })).map(({ id }) => id);
    const targets = ids.filter((id) => id !== sourceId);
    const answers = await userBatches.changeAll(targets, (target) => copied(target, copy));
    return { users: answers.length, done: true, ...firstOf(answers.flat()) };
  }
}

const firstOf = (leftOut: readonly string[]) => ({
  leftOut: leftOut.slice(0, MAX_LEFT_OUT),
  more: leftOut.length > MAX_LEFT_OUT,
});

const idOf = (target: CopyTarget, original: string): string => uuidOf(`${target.id}/${original}`, COPIES);

function copied(target: User, copy: RuleCopy) {
  const { user, leftOut } = withCopies(target, copy);
  const same = isDeepStrictEqual(user.notificationRules, target.notificationRules);
  return { user: same ? target : user, answer: leftOut };
}
