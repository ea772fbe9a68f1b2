import {
  ACTION_GROUPS,
  conditionForTools,
  takeTooLong,
  TOO_MANY_STEPS,
  type IntegrationActionBody,
  type IntegrationActionsBody,
} from '@tocsin/api';
import { InvalidError } from '@tocsin/core';
import { boundTeam, type Principal } from '@tocsin/http';
import type { Responders } from '@tocsin/kafka';
import { nextVersion, type Integration } from './integration.ts';
import { actionOf, arranged, type ActionGroups, type IntegrationAction } from './action.ts';
import { wantedRecipients } from './new-integration.ts';
import { notFound, requireIntegrationWrite } from './operations.ts';
import type { IntegrationStoreMethods } from './store.ts';
import { type Findable, foundRecipients, namedBy } from './reference-operations.ts';

interface IntegrationActionsOptions {
  readonly store: IntegrationStoreMethods;
  readonly references: Pick<Responders, 'find'>;
}

/** An integration has at most this many actions in a group, and this many characters of actions in all. */
const MAX_ACTIONS = 100;
const MAX_SIZE = 1_000_000;

/**
 * Changes the actions of integrations (part 1, 2.5; P1). Only keys of the account (K8), and people who may change the integration
 * (K12), can do that.
 */
export class IntegrationActions {
  readonly #options: IntegrationActionsOptions;

  constructor(options: IntegrationActionsOptions) {
    this.#options = options;
  }

  /**
   * Adds an action to its group: at its order, or after the others but the default action.
   *
   * @throws NotFoundError for an integration or a recipient that does not exist; InvalidError beyond the limits; ForbiddenError
   *   where the person may not change the integration (K12).
   */
  async add(id: string, body: IntegrationActionBody, caller: Principal): Promise<Integration> {
    const { findable, type } = await this.#prepare(id, caller);
    requireKnownFields(type, body, '');
    const [made] = await this.#made([body], findable);
    return this.#write(id, caller, ({ actions }) => {
      const group = actions[body.type];
      const order = body.order ?? group.reduce((next, action) => Math.max(next, action.order + 1), 0);
      return made === undefined ? actions : { ...actions, [body.type]: [...group, { ...made, order }] };
    });
  }

  /** Replaces all groups; all of them empty restores those of a new integration (P1). Refuses as `add` does. */
  async replace(id: string, body: IntegrationActionsBody, caller: Principal): Promise<Integration> {
    const { findable, type } = await this.#prepare(id, caller);
    const groups = await this.#groups(type, body, findable, '');
    return this.#write(id, caller, () => groups);
  }

  /**
   * The actions that `replace` would write for an integration, which need not exist, in their order; nothing is written.
   *
   * @throws as `replace` does, but for what the caller may not change; ForbiddenError where the key of a team names another team's schedule or
   *   escalation (K9).
   */
  async draft(integration: Integration, body: IntegrationActionsBody, caller: Principal): Promise<ActionGroups> {
    const { references } = this.#options;
    const findable = { references, known: namedBy(integration), teamId: boundTeam(caller) };
    return bounded(arranged(await this.#groups(integration.type, body, findable, 'actions.')));
  }

  /** `path` stands before the names of fields that are refused. */
  async #groups(type: string, body: IntegrationActionsBody, findable: Findable, path: string): Promise<ActionGroups> {
    for (const group of ACTION_GROUPS)
      for (const [index, action] of body[group].entries())
        requireKnownFields(type, action, `${path}${group}[${index}].`);
    return {
      ignore: await this.#made(body.ignore, findable),
      create: await this.#made(body.create, findable),
      close: await this.#made(body.close, findable),
      acknowledge: await this.#made(body.acknowledge, findable),
      addNote: await this.#made(body.addNote, findable),
    };
  }

  async #prepare(id: string, caller: Principal): Promise<{ readonly findable: Findable; readonly type: string }> {
    const { store, references } = this.#options;
    const current = await store.find(id);
    if (current === undefined) throw notFound(id);
    requireIntegrationWrite(current, caller);
    return { findable: { references, known: namedBy(current), teamId: undefined }, type: current.type };
  }

  async #made(bodies: readonly IntegrationActionBody[], findable: Findable): Promise<IntegrationAction[]> {
    const made: IntegrationAction[] = [];
    for (const body of bodies) {
      const recipients = await foundRecipients(findable, wantedRecipients(body));
      made.push(actionOf(body, recipients, made.length));
    }
    return made;
  }

  async #write(id: string, caller: Principal, change: (current: Integration) => ActionGroups): Promise<Integration> {
    const changed = await this.#options.store.update(id, (current) => {
      requireIntegrationWrite(current, caller);
      return { ...current, actions: bounded(arranged(change(current))), version: nextVersion(current) };
    });
    if (changed === undefined) throw notFound(id);
    return changed;
  }
}

/**
 * Integrations of the type `API` take alerts in the form of this API: a field that only the requests of tools have is a mistake there.
 *
 * @throws InvalidError that names the field.
 */
function requireKnownFields(type: string, { filter }: IntegrationActionBody, path: string): void {
  const condition = type.toLowerCase() === 'api' && filter !== undefined ? conditionForTools(filter.set) : undefined;
  if (condition === undefined) return;
  throw InvalidError.ofFields({ [`${path}filter.conditions[${condition.index}].field`]: condition.refusal });
}

function bounded(groups: ActionGroups): ActionGroups {
  for (const [group, actions] of Object.entries(groups))
    if (actions.length > MAX_ACTIONS)
      throw InvalidError.ofFields({ [group]: `should have at most ${MAX_ACTIONS} items` });
  if (JSON.stringify(groups).length > MAX_SIZE)
    throw InvalidError.about(
      'actions',
      `The actions of an integration can have at most ${MAX_SIZE} characters together.`,
    );
  const filters = Object.values(groups).flatMap((actions) => actions.map(({ filter }) => filter.set));
  if (takeTooLong(filters)) throw InvalidError.ofFields({ filter: TOO_MANY_STEPS });
  return groups;
}
