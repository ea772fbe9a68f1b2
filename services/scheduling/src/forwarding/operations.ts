import type { CreateForwardingRuleBody, UpdateForwardingRuleBody } from '@tocsin/api';
import { type Clock, ConflictError, InvalidError, NotFoundError, type Put } from '@tocsin/core';
import { type Principal, requireSelf } from '@tocsin/http';
import type { Catalogue, Change, Configuration, ConfigurationAccess } from '../configuration/configuration.ts';
import type { References } from '../configuration/reference-operations.ts';
import { putEntity } from '../configuration/write-operations.ts';
import { type ForwardingRule, MAX_RULES_OF_USER } from './forwarding.ts';

/** How a path names a forwarding rule. */
export interface ForwardingRuleIdentifier {
  readonly type: 'id' | 'alias';
  readonly value: string;
}

export interface ForwardingRulesOptions {
  readonly store: ConfigurationAccess;
  readonly references: References;
  readonly clock: Clock;
  readonly newId: () => string;
}

/**
 * Creates, reads, replaces and deletes forwarding rules (part 2, 4.7; S13). They belong to users: every key that may read configuration
 * reads all of them, and no team's key writes them (K8). A user writes those that forward from themselves (K12); all writes throw
 * ForbiddenError otherwise, before the references of the body are looked up.
 */
export class ForwardingRules {
  readonly #options: ForwardingRulesOptions;

  constructor(options: ForwardingRulesOptions) {
    this.#options = options;
  }

  /**
   * @throws NotFoundError when a user does not exist.
   * @throws InvalidError when both users are the same, or the first one has too many rules.
   * @throws ConflictError when the alias is taken.
   */
  async create(body: CreateForwardingRuleBody, caller: Principal): Promise<ForwardingRule> {
    return (await this.put(this.#options.newId(), body, caller)).entity;
  }

  /**
   * Creates or replaces the rule that has this id (I1). One that exists keeps its place in the order of creation.
   *
   * @throws as `create`.
   */
  async put(id: string, body: CreateForwardingRuleBody, caller: Principal): Promise<Put<ForwardingRule>> {
    const { store, clock } = this.#options;
    const fields = await this.#fields(body, caller);
    return store.change(({ forwardingRules }) =>
      putRule(forwardingRules, forwardingRules.get(id), {
        id,
        alias: body.alias,
        ...fields,
        ...forwardingRules.originOf(id, clock.now()),
      }),
    );
  }

  /** @throws NotFoundError when there is none. */
  async get(identifier: ForwardingRuleIdentifier): Promise<ForwardingRule> {
    return findRule(await this.#options.store.current(), identifier);
  }

  /** All of them, in the order of their creation. */
  async list(): Promise<readonly ForwardingRule[]> {
    return (await this.#options.store.current()).forwardingRules.all();
  }

  /**
   * The rules that forward from a user, in the order of their creation (part 3, 4.1).
   *
   * @throws NotFoundError when no user has that id or user name.
   */
  async ofUser(identifier: string): Promise<readonly ForwardingRule[]> {
    const { id } = await this.#options.references.userCalled(identifier);
    return (await this.list()).filter(({ fromUserId }) => fromUserId === id);
  }

  /**
   * Replaces all but the id, the alias and the place in the order of creation.
   *
   * @throws as `create`, and NotFoundError when there is no such rule.
   */
  async replace(
    identifier: ForwardingRuleIdentifier,
    body: UpdateForwardingRuleBody,
    caller: Principal,
  ): Promise<ForwardingRule> {
    const { store } = this.#options;
    findWritable(await store.current(), identifier, caller);
    const fields = await this.#fields(body, caller);
    const { entity } = await store.change((present) => {
      const known = findWritable(present, identifier, caller);
      return putRule(present.forwardingRules, known, { ...known, ...fields });
    });
    return entity;
  }

  /** @throws NotFoundError when there is none. */
  async delete(identifier: ForwardingRuleIdentifier, caller: Principal): Promise<void> {
    await this.#options.store.change((present) => ({
      forwardingRules: { removed: [findWritable(present, identifier, caller)] },
      answer: undefined,
    }));
  }

  async #fields(
    body: UpdateForwardingRuleBody,
    caller: Principal,
  ): Promise<Pick<ForwardingRule, 'fromUserId' | 'toUserId' | 'startAt' | 'endAt'>> {
    const { references } = this.#options;
    requireSelf(body.fromUser.id ?? body.fromUser.name ?? '', caller);
    const fromUserId = await references.user(body.fromUser);
    const toUserId = await references.user(body.toUser);
    if (fromUserId === toUserId) throw InvalidError.ofFields({ toUser: 'should be another user than fromUser' });
    return { fromUserId, toUserId, startAt: body.startDate, endAt: body.endDate };
  }
}

/**
 * Writes `next` in the place of `known`.
 *
 * @throws ConflictError when another rule has its alias; InvalidError when its user has too many rules with it.
 */
function putRule(
  rules: Catalogue<ForwardingRule>,
  known: ForwardingRule | undefined,
  next: ForwardingRule,
): Change<Put<ForwardingRule>> {
  return putEntity(known, next, (rule) => {
    const { alias, fromUserId, id } = rule;
    const holder = alias === undefined ? rule : (rules.named(alias) ?? rule);
    if (holder.id !== id) throw new ConflictError(`Forwarding rule with alias [${alias}] already exists.`);
    if (known?.fromUserId !== fromUserId) refuseTooMany(rules.all(), fromUserId);
    return { forwardingRules: { put: [rule] } };
  });
}

/** @throws InvalidError when `fromUserId` has as many rules as one user may have. */
function refuseTooMany(rules: readonly ForwardingRule[], fromUserId: string): void {
  if (rules.filter((rule) => rule.fromUserId === fromUserId).length < MAX_RULES_OF_USER) return;
  throw InvalidError.ofFields({ fromUser: 'has too many forwarding rules; delete old ones' });
}

/** @throws NotFoundError when there is none; ForbiddenError when it forwards from another user than the person (K12). */
function findWritable(present: Configuration, identifier: ForwardingRuleIdentifier, caller: Principal): ForwardingRule {
  const rule = findRule(present, identifier);
  requireSelf(rule.fromUserId, caller);
  return rule;
}

function findRule({ forwardingRules }: Configuration, { type, value }: ForwardingRuleIdentifier): ForwardingRule {
  const rule = type === 'id' ? forwardingRules.get(value) : forwardingRules.named(value);
  if (rule !== undefined) return rule;
  throw new NotFoundError(`Forwarding rule with ${type} [${value}] does not exist.`);
}
