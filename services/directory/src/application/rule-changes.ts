import { isDeepStrictEqual } from 'node:util';
import { InvalidError, NotFoundError } from '@tocsin/errors';
import type { NotificationRule } from '../domain/notification-rule.ts';
import { excess, ruleOf, withRule, type NotificationRules } from '../domain/notification-rules.ts';
import { stepContact, stepOf, type NotificationStep } from '../domain/notification-step.ts';
import type { User } from '../domain/user.ts';
import type { UserStore } from '../ports/user-store.ts';
import { changeUser, existingUser } from './existing-user.ts';
import { doesNotExist } from './not-found.ts';

/** What a change of somebody's rules comes to. */
export interface RulesChange<T> {
  readonly rules: NotificationRules;
  readonly answer: T;
}

/** Reads and changes the notification rules of one user, each change in one step that sees nobody else write. */
export class RuleChanges {
  readonly #users: UserStore;

  constructor(users: UserStore) {
    this.#users = users;
  }

  /** @throws NotFoundError when there is no such user. */
  async user(identifier: string): Promise<User> {
    return existingUser(this.#users, identifier);
  }

  /**
   * Keeps the rules that `work` makes of the present ones; where they are equal, nothing is written or announced (E10).
   *
   * @throws NotFoundError when there is no such user.
   * @throws InvalidError when the rules are more than a user may have (E14).
   */
  async run<T>(identifier: string, work: (user: User) => RulesChange<T>): Promise<T> {
    return changeUser(this.#users, identifier, (user) => {
      const { rules, answer } = work(user);
      if (isDeepStrictEqual(rules, user.notificationRules)) return { user, answer };
      const obstacle = excess(rules);
      if (obstacle !== undefined) throw InvalidError.about('notificationRules', obstacle);
      return { user: { ...user, notificationRules: rules }, answer };
    });
  }

  /**
   * As `run`, for one rule that stays at its place.
   *
   * @throws NotFoundError when there is no such rule either.
   */
  async runOne<T>(
    identifier: string,
    ruleId: string,
    work: (rule: NotificationRule, user: User) => { readonly rule: NotificationRule; readonly answer: T },
  ): Promise<T> {
    return this.run(identifier, (user) => {
      const present = existingRule(user, ruleId);
      const { rule, answer } = work(present, user);
      return { rules: withRule(user.notificationRules, rule, present.order), answer };
    });
  }
}

/** @throws NotFoundError when the user has no such rule. */
export function existingRule({ notificationRules }: Pick<User, 'notificationRules'>, id: string): NotificationRule {
  const rule = ruleOf(notificationRules, id);
  if (rule === undefined) throw doesNotExist('Notification rule', { id });
  return rule;
}

/** @throws NotFoundError when the rule has no such step. */
export function existingStep(rule: NotificationRule, id: string): NotificationStep {
  const step = stepOf(rule, id);
  if (step === undefined) throw doesNotExist('Notification rule step', { id });
  return step;
}

/** @throws NotFoundError when the user has no such contact. */
export function existingContact({ contacts }: User, named: NotificationStep['contact']): NotificationStep['contact'] {
  const contact = stepContact(contacts, named);
  if (contact === undefined)
    throw new NotFoundError(`Contact does not exist with method: ${named.method} and to: ${named.to}`);
  return contact;
}
