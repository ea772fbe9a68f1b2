import { isDeepStrictEqual } from 'node:util';
import type { CreateNotificationRuleBody, ImportNotificationRulesBody, UpdateNotificationRuleBody } from '@tocsin/api';
import { ActionType } from '@tocsin/events';
import { InvalidError, NotFoundError } from '@tocsin/core';
import { nestedIds } from '../references/nested-ids.ts';
import { doesNotExist } from '../references/reference.ts';
import type { UserSchedules } from '../schedules/operations.ts';
import type { Users } from '../users/operations.ts';
import type { User } from '../users/user.ts';
import {
  changedRule,
  emptyRule,
  excess,
  isOfShifts,
  listed,
  needsDelay,
  type NotificationRule,
  type NotificationRules as Rules,
  type NotificationStep,
  ofType,
  ruleOf,
  stepContact,
  stepOf,
  withoutRule,
  withRule,
} from './notification-rule.ts';

/** A rule, and how the schedules that it names are called now, in their order. */
export interface NamedRule {
  readonly rule: NotificationRule;
  readonly scheduleNames: readonly (string | undefined)[];
}

export interface NotificationRulesDependencies {
  readonly ruleChanges: RuleChanges;
  readonly userSchedules: UserSchedules;
  readonly newId: () => string;
}

type Body = CreateNotificationRuleBody | UpdateNotificationRuleBody;
type StepBodies = NonNullable<Body['steps']>;

/**
 * The notification rules of a user (part 3, 4.3).
 *
 * Every method throws NotFoundError when there is no such user or rule.
 */
export class NotificationRules {
  readonly #ports: NotificationRulesDependencies;

  constructor(ports: NotificationRulesDependencies) {
    this.#ports = ports;
  }

  /** By action type, then by place. */
  async list(user: string): Promise<Rules> {
    return listed((await this.#ports.ruleChanges.user(user)).notificationRules);
  }

  async get(user: string, ruleId: string): Promise<NamedRule> {
    const rule = existingRule(await this.#ports.ruleChanges.user(user), ruleId);
    return { rule, scheduleNames: await this.#ports.userSchedules.names(rule.scheduleIds ?? []) };
  }

  /**
   * Adds a rule at the requested place among those of its type, or last (S15).
   *
   * @throws NotFoundError when a schedule, or the contact of a step, does not exist.
   * @throws InvalidError when the action type demands more than the body says, or a schedule is not the user's own (U12).
   */
  async create(user: string, body: CreateNotificationRuleBody): Promise<NotificationRule> {
    const present = await this.#ports.ruleChanges.user(user);
    refuseIncomplete(body.actionType, body);
    const scheduleIds = await this.#scheduleIds(present.id, body.actionType, body, []);
    const [id, stepIds] = [this.#ports.newId(), (body.steps ?? []).map(this.#ports.newId)];
    return this.#ports.ruleChanges.run(user, (owner) => {
      const { name, actionType, enabled, order } = body;
      const change = { ...body, scheduleIds, steps: stepsOf(owner, body.steps ?? [], [], stepIds) };
      const rule = changedRule(emptyRule({ id, name, actionType, enabled }), change);
      const rules = withRule(owner.notificationRules, rule, order);
      return { rules, answer: existingRule({ notificationRules: rules }, id) };
    });
  }

  /**
   * Changes the fields of the body, but never the action type. Steps and schedules are replaced as a whole; steps keep their id where
   * the body has it.
   *
   * @throws as `create`.
   */
  async update(user: string, ruleId: string, body: UpdateNotificationRuleBody): Promise<NotificationRule> {
    const present = await this.#ports.ruleChanges.user(user);
    const { actionType, scheduleIds: kept = [] } = existingRule(present, ruleId);
    refuseIncomplete(actionType, body);
    const scheduleIds = await this.#scheduleIds(present.id, actionType, body, kept);
    const stepIds = (body.steps ?? []).map(this.#ports.newId);
    return this.#ports.ruleChanges.run(user, (owner) => {
      const rule = existingRule(owner, ruleId);
      const steps = body.steps && stepsOf(owner, body.steps, rule.steps, stepIds);
      const changed = changedRule(rule, { ...body, scheduleIds, steps });
      const rules = withRule(owner.notificationRules, changed, body.order ?? rule.order);
      return { rules, answer: existingRule({ notificationRules: rules }, ruleId) };
    });
  }

  /**
   * Replaces all rules of the user who has this id by those of the body, those of each type in the order of the list (I10).
   *
   * @throws as `create`, and ConflictError when another user has the id of a rule or step.
   */
  async put(
    userId: string,
    { rules }: ImportNotificationRulesBody,
  ): Promise<{ readonly entity: Rules; readonly present: Rules }> {
    const { newId, ruleChanges } = this.#ports;
    const present = await ruleChanges.user(userId);
    const kept = present.notificationRules.flatMap(({ scheduleIds = [] }) => scheduleIds);
    const scheduleIds: (string[] | undefined)[] = [];
    for (const [place, rule] of rules.entries()) {
      const at = `rules[${place}].`;
      refuseIncomplete(rule.actionType, rule, at);
      scheduleIds.push(await this.#scheduleIds(present.id, rule.actionType, rule, kept, at));
    }
    return ruleChanges.run(present.id, (owner) => {
      const before = listed(owner.notificationRules);
      const places = new Map<ActionType, number>();
      const counterparts = rules.map(({ actionType }) => {
        const place = places.get(actionType) ?? 0;
        places.set(actionType, place + 1);
        return ofType(before, actionType)[place];
      });
      const ids = nestedIds(rules, counterparts, newId);
      const made = rules.map(({ actionType, enabled, name, steps = [], ...rest }, place) => {
        const id = ids[place] ?? '';
        const stepIds = nestedIds(steps, ruleOf(before, id)?.steps ?? [], newId);
        const ownIds = stepIds.map((each) => ({ id: each }));
        const change = { ...rest, scheduleIds: scheduleIds[place], steps: stepsOf(owner, steps, ownIds, stepIds) };
        return changedRule(emptyRule({ id, name, actionType, enabled }), change);
      });
      const next = ActionType.options.flatMap((type) =>
        made.filter(({ actionType }) => actionType === type).map((rule, order) => ({ ...rule, order })),
      );
      if (isDeepStrictEqual(next, before))
        return { rules: owner.notificationRules, answer: { entity: before, present: before } };
      return { rules: next, hasIdsOfCaller: true, answer: { entity: next, present: before } };
    });
  }

  async setEnabled(user: string, ruleId: string, enabled: boolean): Promise<void> {
    await this.#ports.ruleChanges.runOne(user, ruleId, (rule) => ({ rule: { ...rule, enabled }, answer: undefined }));
  }

  /** @throws InvalidError for a place that does not exist among the rules of its type (P8). */
  async move(user: string, ruleId: string, place: number): Promise<NotificationRule> {
    return this.#ports.ruleChanges.run(user, ({ notificationRules }) => {
      const rule = existingRule({ notificationRules }, ruleId);
      const last = ofType(notificationRules, rule.actionType).length - 1;
      if (place > last) throw InvalidError.ofFields({ order: `should be at most ${last}` });
      const rules = withRule(notificationRules, rule, place);
      return { rules, answer: existingRule({ notificationRules: rules }, ruleId) };
    });
  }

  async remove(user: string, ruleId: string): Promise<void> {
    await this.#ports.ruleChanges.run(user, ({ notificationRules }) => {
      const rule = existingRule({ notificationRules }, ruleId);
      return { rules: withoutRule(notificationRules, rule), answer: undefined };
    });
  }

  /** Undefined where the body has no schedules, or the rule can have none. */
  async #scheduleIds(
    userId: string,
    actionType: ActionType,
    { schedules }: Pick<Body, 'schedules'>,
    kept: readonly string[],
    at = '',
  ): Promise<string[] | undefined> {
    if (schedules === undefined || !isOfShifts(actionType)) return undefined;
    return [...(await this.#ports.userSchedules.resolve(userId, schedules, { kept, at }))];
  }
}

/**
 * `at` is the path of the rule in the body.
 *
 * @throws InvalidError that names the fields that a rule of that type needs and the body lacks (part 3, 2.3 and 2.4).
 */
function refuseIncomplete(
  actionType: ActionType,
  { notificationTime = [], steps = [] }: Pick<Body, 'notificationTime' | 'steps'>,
  at = '',
): void {
  const missing = 'should be provided';
  const fields = [
    ...(isOfShifts(actionType) && notificationTime.length === 0 ? ['notificationTime'] : []),
    ...steps.flatMap(({ sendAfter }, index) =>
      needsDelay(actionType) && sendAfter === undefined ? [`steps[${index}].sendAfter`] : [],
    ),
  ];
  if (fields.length > 0)
    throw InvalidError.ofFields(Object.fromEntries(fields.map((field) => [`${at}${field}`, missing])));
}

function stepsOf(
  owner: User,
  bodies: StepBodies,
  kept: readonly Pick<NotificationStep, 'id'>[],
  newIds: readonly string[],
): NotificationStep[] {
  const free = new Set(kept.map(({ id }) => id));
  return bodies.map(({ id = '', contact, sendAfter = 0, enabled }, index) => ({
    // A step that is sent twice is two steps.
    id: free.delete(id) ? id : (newIds[index] ?? ''),
    contact: existingContact(owner, contact),
    sendAfterMinutes: sendAfter,
    enabled,
  }));
}

/** The result of a change of the rules of a user. */
export interface RulesChange<T> {
  readonly rules: Rules;
  /** As of a {@link UserChange}. */
  readonly hasIdsOfCaller?: true;
  readonly answer: T;
}

/** Reads and changes the notification rules of one user, undisturbed by other writers of configuration. */
export class RuleChanges {
  readonly #users: Pick<Users, 'change' | 'get'>;

  constructor(users: Pick<Users, 'change' | 'get'>) {
    this.#users = users;
  }

  /** @throws NotFoundError when there is no such user. */
  async user(identifier: string): Promise<User> {
    return this.#users.get(identifier);
  }

  /**
   * Replaces the rules by the result of `work`. Where they are equal, nothing is written or announced (E10).
   *
   * @throws NotFoundError when there is no such user.
   * @throws InvalidError when the rules are more than a user may have (E14).
   */
  async run<T>(identifier: string, work: (user: User) => RulesChange<T>): Promise<T> {
    return this.#users.change(identifier, (user) => {
      const { rules, ...rest } = work(user);
      if (isDeepStrictEqual(rules, user.notificationRules)) return { user, ...rest };
      const obstacle = excess(rules);
      if (obstacle !== undefined) throw InvalidError.about('notificationRules', obstacle);
      return { user: { ...user, notificationRules: rules }, ...rest };
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
