import type { CreateNotificationStepBody, UpdateNotificationStepBody } from '@tocsin/api';
import { InvalidError } from '@tocsin/core';
import {
  needsDelay,
  type NotificationRule,
  type NotificationStep,
  withoutStep,
  withStep,
} from './notification-rule.ts';
import { existingContact, existingRule, existingStep, type RuleChanges } from './operations.ts';

/** Where a step is: in a rule of a user. */
export interface RulePlace {
  /** Id or user name. */
  readonly user: string;
  readonly ruleId: string;
}

/** A step and the rule that it is a part of. */
export interface PlacedStep {
  readonly rule: NotificationRule;
  readonly step: NotificationStep;
}

/**
 * The steps of a notification rule (part 3, 4.4), which are a part of it.
 *
 * Every method throws NotFoundError when there is no such user, rule or step.
 */
export class NotificationSteps {
  readonly #changes: RuleChanges;
  readonly #newId: () => string;

  constructor({ ruleChanges, newId }: { readonly ruleChanges: RuleChanges; readonly newId: () => string }) {
    this.#changes = ruleChanges;
    this.#newId = newId;
  }

  /** The rule, whose steps are in the order in which they were written. */
  async list({ user, ruleId }: RulePlace): Promise<NotificationRule> {
    return existingRule(await this.#changes.user(user), ruleId);
  }

  async get(place: RulePlace, stepId: string): Promise<PlacedStep> {
    const rule = await this.list(place);
    return { rule, step: existingStep(rule, stepId) };
  }

  /**
   * Adds a step, the last of its rule.
   *
   * @throws NotFoundError when the user has no such contact.
   * @throws InvalidError when the rule's action type demands a delay, or the rule has as many steps as it may.
   */
  async create({ user, ruleId }: RulePlace, body: CreateNotificationStepBody): Promise<string> {
    const id = this.#newId();
    return this.#changes.runOne(user, ruleId, (rule, owner) => {
      const { sendAfter: sendAfterMinutes, enabled } = body;
      if (sendAfterMinutes === undefined && needsDelay(rule.actionType))
        throw InvalidError.ofFields({ sendAfter: 'should be provided' });
      const contact = existingContact(owner, body.contact);
      const step = { id, contact, sendAfterMinutes: sendAfterMinutes ?? 0, enabled };
      return { rule: withStep(rule, step), answer: id };
    });
  }

  /**
   * Changes the fields of the body.
   *
   * @throws NotFoundError when the user has no such contact.
   */
  async update({ user, ruleId }: RulePlace, stepId: string, body: UpdateNotificationStepBody): Promise<void> {
    await this.#changes.runOne(user, ruleId, (rule, owner) => {
      const step = existingStep(rule, stepId);
      const contact = body.contact === undefined ? step.contact : existingContact(owner, body.contact);
      const { sendAfter: sendAfterMinutes = step.sendAfterMinutes, enabled = step.enabled } = body;
      return { rule: withStep(rule, { ...step, contact, sendAfterMinutes, enabled }), answer: undefined };
    });
  }

  async setEnabled(place: RulePlace, stepId: string, enabled: boolean): Promise<void> {
    await this.update(place, stepId, { contact: undefined, sendAfter: undefined, enabled });
  }

  async remove({ user, ruleId }: RulePlace, stepId: string): Promise<void> {
    await this.#changes.runOne(user, ruleId, (rule) => ({
      rule: withoutStep(rule, existingStep(rule, stepId)),
      answer: undefined,
    }));
  }
}
