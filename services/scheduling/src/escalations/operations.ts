import type { CreateEscalationBody, EscalationRepeatBody, EscalationRuleBody, UpdateEscalationBody } from '@tocsin/api';
import { type Clock, InUseError, type Put } from '@tocsin/core';
import type { EscalationRepeat } from '@tocsin/events';
import type { Principal } from '@tocsin/http';
import type { Change, Configuration, ConfigurationAccess } from '../configuration/configuration.ts';
import { requireNameAndSize } from '../configuration/name-and-size.ts';
import {
  type Identifier,
  type InConfiguration,
  filterNamingUser,
  type References,
  findVisible,
  filterVisible,
} from '../configuration/reference-operations.ts';
import { usesOf } from '../configuration/uses.ts';
import { putEntity } from '../configuration/write-operations.ts';
import type { RoutingUses } from '../teams/client.ts';
import type { Escalation, EscalationRule } from './escalation.ts';

export interface EscalationsOptions {
  readonly store: ConfigurationAccess;
  readonly references: References;
  readonly routingUses: RoutingUses;
  readonly clock: Clock;
  readonly newId: () => string;
}

/** Creates, reads, changes and deletes escalations (part 2, 4.6a; S12, S15, K4). */
export class Escalations {
  readonly #options: EscalationsOptions;

  constructor(options: EscalationsOptions) {
    this.#options = options;
  }

  /**
   * @throws NotFoundError when an entity that the body names does not exist.
   * @throws ForbiddenError when a team's key names another team's schedule (K9).
   * @throws ConflictError when the name is taken.
   * @throws InvalidError when the escalations of its team would be too large together.
   */
  async create(body: CreateEscalationBody, caller: Principal): Promise<Escalation> {
    return (await this.put(this.#options.newId(), body, caller)).entity;
  }

  /**
   * Creates or replaces the escalation that has this id (I1).
   *
   * @throws as `create`.
   */
  async put(id: string, body: CreateEscalationBody, caller: Principal): Promise<Put<Escalation>> {
    const { store, references, clock } = this.#options;
    const ownerTeamId = await references.owner('an escalation', body.ownerTeam, caller);
    const rules = await this.#rules(body.rules, caller);
    return store.change((present) =>
      putEscalation(present, present.escalations.get(id), {
        id,
        name: body.name,
        description: body.description ?? '',
        ownerTeamId,
        rules: rules(present),
        repeat: repeatAfter(undefined, body.repeat),
        ...present.escalations.originOf(id, clock.now()),
      }),
    );
  }

  /** @throws NotFoundError and ForbiddenError as `findVisible` says. */
  async get(identifier: Identifier, caller: Principal): Promise<Escalation> {
    const { escalations } = await this.#options.store.current();
    return findVisible('Escalation', escalations, identifier, caller);
  }

  /** All that the caller may see, in the order of their creation. */
  async list(caller: Principal): Promise<readonly Escalation[]> {
    const { escalations } = await this.#options.store.current();
    return filterVisible(escalations.all(), caller);
  }

  /**
   * Those of `list` with a rule whose recipient is the user (part 3, 4.1).
   *
   * @throws NotFoundError when no user has that id or user name.
   */
  async ofUser(identifier: string, caller: Principal): Promise<readonly Escalation[]> {
    const { id } = await this.#options.references.userCalled(identifier);
    return filterNamingUser(await this.list(caller), id);
  }

  /**
   * Changes the fields of the body; rules are replaced as a whole. A running flow keeps the rules with which it began (S9). A body that
   * changes nothing writes and publishes nothing (E10).
   *
   * @throws as `create`, and ForbiddenError when the escalation is another team's.
   */
  async update(identifier: Identifier, body: UpdateEscalationBody, caller: Principal): Promise<Escalation> {
    const { store, references } = this.#options;
    // A caller who may not write is refused before the references of the body are looked up.
    references.findWritable('Escalation', (await store.current()).escalations, identifier, caller);
    const ownerTeamId = await references.newOwner('an escalation', body.ownerTeam, caller);
    const rules = body.rules === undefined ? undefined : await this.#rules(body.rules, caller);
    const { entity } = await store.change((present) => {
      const found = references.findWritable('Escalation', present.escalations, identifier, caller);
      return putEscalation(present, found, {
        ...found,
        name: body.name ?? found.name,
        description: body.description ?? found.description,
        ownerTeamId: ownerTeamId ?? found.ownerTeamId,
        rules: rules?.(present) ?? found.rules,
        repeat: repeatAfter(found.repeat, body.repeat),
      });
    });
    return entity;
  }

  /**
   * @throws NotFoundError and ForbiddenError as `update`.
   * @throws InUseError when a routing rule or a rotation names it (S12).
   * @throws UnavailableError when directory does not answer which routing rules name it.
   */
  async delete(identifier: Identifier, caller: Principal): Promise<void> {
    const { store, references, routingUses } = this.#options;
    const { id } = references.findWritable('Escalation', (await store.current()).escalations, identifier, caller);
    const routed = await routingUses('escalation', id);
    await store.change((present) => {
      const found = references.findWritable('Escalation', present.escalations, { type: 'id', value: id }, caller);
      const uses = [...routed, ...usesOf({ type: 'escalation', id }, present)];
      if (uses.length > 0) throw new InUseError(`Escalation [${found.name}] is in use. ${uses.join(' ')}`);
      return { escalations: { removed: [found] }, answer: undefined };
    });
  }

  async #rules(
    bodies: readonly EscalationRuleBody[],
    caller: Principal,
  ): Promise<InConfiguration<readonly EscalationRule[]>> {
    // One after the other, so that the first unknown name ends the look-ups.
    const planned: PlannedRule[] = [];
    for (const rule of bodies) {
      planned.push({ ...rule, recipient: await this.#options.references.mention(rule.recipient, caller) });
    }
    return (present) => planned.map((rule) => ({ ...rule, recipient: rule.recipient(present) }));
  }
}

/** Fields that a body leaves out keep their values. */
const repeatAfter = (
  present: EscalationRepeat | undefined,
  body: EscalationRepeatBody | undefined,
): EscalationRepeat | undefined => (body === 'none' ? undefined : (body ?? present));

interface PlannedRule extends Omit<EscalationRule, 'recipient'> {
  readonly recipient: InConfiguration<EscalationRule['recipient']>;
}

function putEscalation(
  { escalations }: Configuration,
  found: Escalation | undefined,
  next: Escalation,
): Change<Put<Escalation>> {
  return putEntity(found, next, (escalation) => {
    requireNameAndSize('Escalation', escalations, escalation);
    return { escalations: { put: [escalation] } };
  });
}
