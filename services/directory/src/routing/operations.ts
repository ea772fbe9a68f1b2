import { isDeepStrictEqual } from 'node:util';
import {
  type CreateRoutingRuleBody,
  type Criteria,
  type ImportRoutingRulesBody,
  MATCH_ALL_CRITERIA,
  MAX_ROUTING_RULES,
  type RoutingTargetReference,
  takeTooLong,
  TOO_MANY_STEPS,
  type UpdateRoutingRuleBody,
} from '@tocsin/api';
import { type EscalationState, mayName, type ScheduleState } from '@tocsin/events';
import { InvalidError, UnavailableError, type Put } from '@tocsin/core';
import { teamKeyRefused, boundTeam, type Principal } from '@tocsin/http';
import type { ReplicaView } from '@tocsin/kafka';
import { doesNotExist, type Reference } from '../references/reference.ts';
import type { Scheduling } from '../schedules/client.ts';
import type { LoggedChange, TeamChanges } from '../teams/change-operations.ts';
import { logText } from '../teams/team-log.ts';
import type { Team } from '../teams/team.ts';
import { importedRules, ruleDifferences } from './imported-rules.ts';
import {
  areTooLarge,
  changedRule,
  MAX_ROUTING_BYTES,
  type RoutingRule,
  routingRuleName,
  type RoutingTarget,
  withChangedRule,
  withMovedRule,
  withoutRule,
  withRule,
} from './routing-rule.ts';

/** Schedules and escalations as scheduling publishes them. */
export interface RoutingTargets {
  readonly schedules: ReplicaView<ScheduleState>;
  readonly escalations: ReplicaView<EscalationState>;
}

/** A rule, and the name of its target where it is known. */
export interface NamedRoutingRule {
  readonly rule: RoutingRule;
  readonly targetName: string | undefined;
}

export interface RoutingRulesDependencies {
  readonly changes: TeamChanges;
  readonly scheduling: Scheduling;
  readonly targets: RoutingTargets;
  readonly newId: () => string;
  /** The zone of a rule that names none. */
  readonly timezone: string;
}

/**
 * The routing rules of a team (part 2, 4.2): a write is undisturbed by others, so their order stays dense
 * and the default rule last.
 *
 * Every method throws NotFoundError when there is no such team or rule, and ForbiddenError when the caller is bound to
 * another team (part 1, 7).
 */
export class RoutingRules {
  readonly #ports: RoutingRulesDependencies;

  constructor(ports: RoutingRulesDependencies) {
    this.#ports = ports;
  }

  /** By their order, the default rule last. */
  async list(reference: Reference, caller: Principal): Promise<readonly NamedRoutingRule[]> {
    const { routingRules } = await this.#ports.changes.present(reference, caller);
    return Promise.all(routingRules.map((rule) => this.#named(rule)));
  }

  async get(reference: Reference, id: string, caller: Principal): Promise<NamedRoutingRule> {
    return this.#named(existing(await this.#ports.changes.present(reference, caller), id));
  }

  /**
   * Adds a rule before the default one.
   *
   * @throws NotFoundError when what it notifies does not exist.
   * @throws ForbiddenError when the caller is bound to the team, and what it notifies belongs to another one (K9).
   * @throws InvalidError when the team has as many rules as it may, or they are too large or too slow together.
   * @throws UnavailableError when scheduling cannot be asked.
   */
  async create(reference: Reference, body: CreateRoutingRuleBody, caller: Principal): Promise<RoutingRule> {
    await this.#ports.changes.changeable(reference, caller);
    const { name = '', timezone = this.#ports.timezone, criteria = MATCH_ALL_CRITERIA, timeRestriction, order } = body;
    const notify = await this.#target(body.notify, { caller });
    const draft = { id: this.#ports.newId(), name, timezone, criteria, timeRestriction, notify };
    return this.#ports.changes.run(reference, caller, (team) => {
      const rules = withRule(team.routingRules, draft, order);
      if (rules === 'too-many')
        throw InvalidError.about('routingRules', `A team has at most ${MAX_ROUTING_RULES} routing rules.`);
      refuseTooLarge(rules);
      refuseTooSlow(rules, body.criteria);
      const created = existing({ routingRules: rules }, draft.id);
      const sentences = [logText.routingRuleCreated(routingRuleName(created))];
      return { team: { ...team, routingRules: rules }, sentences, answer: created };
    });
  }

  /**
   * Changes the fields of the body.
   *
   * @throws NotFoundError when its target does not exist.
   * @throws ForbiddenError as `create`.
   * @throws InvalidError when a default rule would get another name or criteria (S11), or the rules are too large together.
   * @throws UnavailableError when scheduling cannot be asked.
   */
  async update(reference: Reference, id: string, body: UpdateRoutingRuleBody, caller: Principal): Promise<RoutingRule> {
    const present = await this.#ports.changes.changeable(reference, caller);
    const { notify: before } = existing(present, id);
    const { name, timezone, criteria, timeRestriction } = body;
    const notify = body.notify && (await this.#target(body.notify, { caller, before }));
    return this.#ports.changes.run(reference, caller, (team) => {
      const rule = existing(team, id);
      const changed = changedRule(rule, { name, timezone, criteria, timeRestriction, notify });
      if (typeof changed === 'string')
        throw InvalidError.ofFields({ [changed]: 'of the default routing rule can not be changed' });
      if (isDeepStrictEqual(changed, rule)) return { team, sentences: [], answer: rule };
      const routingRules = withChangedRule(team.routingRules, changed);
      refuseTooLarge(routingRules);
      refuseTooSlow(routingRules, criteria);
      const sentences = [logText.routingRuleChanged(routingRuleName(changed))];
      return { team: { ...team, routingRules }, sentences, answer: changed };
    });
  }

  /** @throws InvalidError for the default rule (S11). */
  async remove(reference: Reference, id: string, caller: Principal): Promise<void> {
    await this.#ports.changes.run(reference, caller, (team): LoggedChange<undefined> => {
      const rule = existing(team, id);
      const routingRules = withoutRule(team.routingRules, rule);
      if (routingRules === 'default') throw InvalidError.about('id', 'The default routing rule can not be deleted.');
      const sentences = [logText.routingRuleDeleted(routingRuleName(rule))];
      return { team: { ...team, routingRules }, sentences, answer: undefined };
    });
  }

  /** @throws InvalidError for the default rule, and for a place that does not exist (S11, P8). */
  async move(reference: Reference, id: string, order: number, caller: Principal): Promise<RoutingRule> {
    return this.#ports.changes.run(reference, caller, (team) => {
      const rule = existing(team, id);
      const routingRules = withMovedRule(team.routingRules, rule, order);
      if (routingRules === 'default') throw InvalidError.ofFields({ order: 'of the default routing rule is fixed' });
      if (routingRules === 'beyond')
        throw InvalidError.ofFields({ order: `should be at most ${team.routingRules.length - 1}` });
      const moved = existing({ routingRules }, id);
      if (moved.order === rule.order) return { team, sentences: [], answer: rule };
      const sentences = [logText.routingRuleMoved(routingRuleName(rule), rule.order, moved.order)];
      return { team: { ...team, routingRules }, sentences, answer: moved };
    });
  }

  /**
   * Replaces all rules of the team by those of the body, of which the last is the default rule (I9).
   *
   * @throws NotFoundError when a target does not exist.
   * @throws ConflictError when another team has the id of a rule.
   * @throws InvalidError when the rules are too large or too slow together.
   * @throws UnavailableError when scheduling cannot be asked.
   */
  async put(id: string, { rules }: ImportRoutingRulesBody, caller: Principal): Promise<Put<Team>> {
    const { changes, newId, timezone: zone } = this.#ports;
    await changes.changeable({ id }, caller);
    const targets = new Map<string, RoutingTarget>();
    for (const { notify } of rules) {
      const key = JSON.stringify(notify);
      if (!targets.has(key)) targets.set(key, await this.#target(notify, { caller }));
    }
    return changes.run({ id }, caller, (team): LoggedChange<Put<Team>> => {
      const next = importedRules(rules, team.routingRules, { newId, timezone: zone, targets });
      const unchanged = { team, sentences: [], answer: { entity: team, present: team } };
      if (isDeepStrictEqual(next, team.routingRules)) return unchanged;
      refuseTooLarge(next);
      if (takeTooLong(next.map(({ criteria }) => criteria.set))) throw InvalidError.ofFields({ rules: TOO_MANY_STEPS });
      const changed = { ...team, routingRules: next };
      const sentences = ruleDifferences(team.routingRules, next);
      return { team: changed, sentences, hasIdsOfCaller: true, answer: { entity: changed, present: team } };
    });
  }

  /** A target that the rule has already is allowed to every caller (E10). */
  async #target(reference: RoutingTargetReference, { caller, before }: Writing): Promise<RoutingTarget> {
    if (reference.type === 'none') return { type: 'none' };
    const { type, id, name = '' } = reference;
    const found = await this.#ports.scheduling.find(type, id === undefined ? { name } : { id });
    if (found === undefined) throw doesNotExist(type === 'schedule' ? 'Schedule' : 'Escalation', reference);
    const target = { type, id: found.id };
    // A caller that is bound to a team and may write these rules is bound to this one.
    if (!mayName({ ownerTeamId: found.ownerTeamId }, boundTeam(caller)) && !isDeepStrictEqual(target, before))
      throw teamKeyRefused();
    return target;
  }

  /** The name is left out while scheduling does not answer. */
  async #named(rule: RoutingRule): Promise<NamedRoutingRule> {
    const { notify } = rule;
    if (notify.type === 'none') return { rule, targetName: undefined };
    const { schedules, escalations } = this.#ports.targets;
    const known: ReplicaView<ScheduleState | EscalationState> = notify.type === 'schedule' ? schedules : escalations;
    const target = await known.fetch('id', notify.id).catch((error: unknown) => {
      if (error instanceof UnavailableError) return undefined;
      throw error;
    });
    return { rule, targetName: target?.name };
  }
}

interface Writing {
  readonly caller: Principal;
  /** The target of the changed rule. */
  readonly before?: RoutingTarget;
}

/** The criteria of all rules are evaluated for every alert of the team (P3). */
function refuseTooSlow(rules: readonly RoutingRule[], written: Criteria | undefined): void {
  if (written !== undefined && takeTooLong(rules.map(({ criteria }) => criteria.set)))
    throw InvalidError.ofFields({ criteria: TOO_MANY_STEPS });
}

function refuseTooLarge(rules: readonly RoutingRule[]): void {
  if (areTooLarge(rules))
    throw InvalidError.about('routingRules', `The routing rules of a team have at most ${MAX_ROUTING_BYTES} bytes.`);
}

function existing({ routingRules }: Pick<Team, 'routingRules'>, id: string): RoutingRule {
  const rule = routingRules.find((one) => one.id === id);
  if (rule === undefined) throw doesNotExist('Routing rule', { id });
  return rule;
}
