import { takeTooLong, TOO_MANY_STEPS, type IntegrationActionBody, type IntegrationActionsBody } from '@tocsin/api';
import { InvalidError, NotFoundError } from '@tocsin/core';
import type { Principal } from '@tocsin/http';
import type { Responders } from '@tocsin/kafka';
import { nextVersion, type Integration } from './integration.ts';
import { actionOf, arranged, type ActionGroups, type IntegrationAction } from './action.ts';
import { wantedRecipients } from './new-integration.ts';
import { requireIntegrationWrite } from './operations.ts';
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
    const [made] = await this.#made([body], await this.#findable(id, caller));
    return this.#write(id, caller, ({ actions }) => {
      const group = actions[body.type];
      const order = body.order ?? group.reduce((next, action) => Math.max(next, action.order + 1), 0);
      return made === undefined ? actions : { ...actions, [body.type]: [...group, { ...made, order }] };
    });
  }

  /** Replaces all groups; all of them empty restores those of a new integration (P1). Refuses as `add` does. */
  async replace(id: string, body: IntegrationActionsBody, caller: Principal): Promise<Integration> {
    const findable = await this.#findable(id, caller);
    const groups: ActionGroups = {
      ignore: await this.#made(body.ignore, findable),
      create: await this.#made(body.create, findable),
      close: await this.#made(body.close, findable),
      acknowledge: await this.#made(body.acknowledge, findable),
      addNote: await this.#made(body.addNote, findable),
    };
    return this.#write(id, caller, () => groups);
  }

  async #findable(id: string, caller: Principal): Promise<Findable> {
    const { store, references } = this.#options;
    const current = await store.find(id);
    if (current === undefined) throw notFound(id);
    requireIntegrationWrite(current, caller);
    return { references, known: namedBy(current), teamId: undefined };
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

const notFound = (id: string) => new NotFoundError(`Integration with id [${id}] does not exist.`);

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
