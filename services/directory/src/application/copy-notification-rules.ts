import { isDeepStrictEqual } from 'node:util';
import type { CopyNotificationRulesBody } from '@tocsin/contracts';
import { NotFoundError } from '@tocsin/errors';
import { v5 as uuidOf } from 'uuid';
import { withCopies, type RuleCopy } from '../domain/notification-copy.ts';
import { listed } from '../domain/notification-rules.ts';
import { userReference, type User, type UserReference } from '../domain/user.ts';
import type { UserLots } from '../ports/user-lots.ts';
import type { UserStore } from '../ports/user-store.ts';
import type { RuleChanges } from './rule-changes.ts';
import type { UserSchedules } from './user-schedules.ts';

/** What copying came to. */
export interface CopyReport {
  /** How many users have the copies now. */
  readonly users: number;
  /** What could not be copied and why, in sentences; the first {@link MOST_SENTENCES} of them. */
  readonly leftOut: readonly string[];
}

export interface CopyNotificationRulesDependencies {
  readonly users: UserStore;
  readonly userLots: UserLots;
  readonly ruleChanges: RuleChanges;
  readonly userSchedules: UserSchedules;
}

/** Users are changed so many at a time: each lot is one write, which other writes of configuration wait for. */
const LOT = 100;
const MOST_SENTENCES = 100;

/** Namespace of the ids of copies; changing it would give every copy that is made again another id. */
const COPIES = 'a7f3d0de-3f0c-4e6e-9a53-0f7c9c5a1d42';

/**
 * Copies notification rules to other users (part 3, 4.3; U12).
 *
 * What is copied is what the user has when it begins. A user has all of the copies or none. Whoever repeats it, as after a
 * crash in the middle, changes only those who do not have them yet: the copies have the same ids every time.
 */
export class CopyNotificationRules {
  readonly #users: UserStore;
  readonly #lots: UserLots;
  readonly #changes: RuleChanges;
  readonly #schedules: UserSchedules;

  constructor({ users, userLots, ruleChanges, userSchedules }: CopyNotificationRulesDependencies) {
    this.#users = users;
    this.#lots = userLots;
    this.#changes = ruleChanges;
    this.#schedules = userSchedules;
  }

  /**
   * Nobody is copied to twice, nor the user to themself.
   *
   * @throws NotFoundError that names a user who does not exist; then nothing is copied.
   * @throws UnavailableError when scheduling has to be asked whose schedules those of the rules are, and is away.
   */
  async run(user: string, { toUsers, actionTypes }: CopyNotificationRulesBody): Promise<CopyReport> {
    const source = await this.#changes.user(user);
    const rules = listed(source.notificationRules).filter(({ actionType }) => actionTypes.includes(actionType));
    const targets = toUsers === 'everybody' ? undefined : await this.#existing(toUsers);
    const ownersOf = await this.#schedules.owners([...new Set(rules.flatMap(({ scheduleIds }) => scheduleIds ?? []))]);
    const copy: RuleCopy = { rules, actionTypes, ownersOf, idOf };
    const lots = targets === undefined ? this.#everybody() : lotsOf(targets);
    let users = 0;
    const leftOut: string[] = [];
    for await (const lot of lots) {
      const others = lot.filter((id) => id !== source.id);
      const reports = await this.#lots.changeAll(others, (target) => copied(target, copy));
      users += reports.length;
      leftOut.push(...reports.flat().slice(0, MOST_SENTENCES - leftOut.length));
    }
    return { users, leftOut };
  }

  async #existing(identifiers: readonly string[]): Promise<readonly string[]> {
    const references = identifiers.map((identifier) => userReference(identifier.trim()));
    const found = await this.#users.names(references);
    const isFound = (reference: UserReference) =>
      found.some(({ id, username }) => ('id' in reference ? id === reference.id : username === reference.username));
    const unknown = references.findIndex((reference) => !isFound(reference));
    if (unknown >= 0) throw new NotFoundError(`User does not exist with id or username: ${identifiers[unknown]}`);
    return found.map(({ id }) => id).sort();
  }

  async *#everybody(): AsyncGenerator<readonly string[]> {
    let after: string | undefined;
    do {
      const lot = await this.#lots.idsAfter(after, LOT);
      yield lot;
      after = lot.at(-1);
    } while (after !== undefined);
  }
}

function* lotsOf(ids: readonly string[]): Generator<readonly string[]> {
  for (let start = 0; start < ids.length; start += LOT) yield ids.slice(start, start + LOT);
}

const idOf = (target: User, original: string): string => uuidOf(`${target.id}/${original}`, COPIES);

function copied(target: User, copy: RuleCopy) {
  const { user, leftOut } = withCopies(target, copy);
  const same = isDeepStrictEqual(user.notificationRules, target.notificationRules);
  return { user: same ? target : user, answer: leftOut };
}
