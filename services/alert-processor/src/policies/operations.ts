import { isDeepStrictEqual } from 'node:util';
import { type PolicyBody, type PolicyReplacement, TOO_MANY_STEPS } from '@tocsin/api';
import { type Clock, InvalidError, NotFoundError } from '@tocsin/core';
import {
  teamKeyRefused,
  type Access,
  accessTo,
  boundTeam,
  type ImportResult,
  requireOwnership,
  requireWrite,
  type Principal,
} from '@tocsin/http';
import { MAX_BYTES_OF_TEAM } from '@tocsin/rules';
import { existing, type ResponderDirectory } from '../responders/client.ts';
import type { Configuration, ConfigurationStore } from './configuration.ts';
import { importPlace, inOrder, move, placed, removal, sequenceOf } from './policy-order.ts';
import { excessOf, MAX_POLICIES, type Policy } from './policy.ts';
import { lookUpRecipients, type ReadEffects } from './recipient-operations.ts';

export interface PoliciesDependencies {
  readonly store: ConfigurationStore;
  readonly directory: ResponderDirectory;
  readonly clock: Clock;
  readonly newId: () => string;
}

/**
 * The operations on policies, for both versions of the API (part 1, 4.5; P14). Every write is decided on the state after the previous
 * write.
 *
 * Methods that take a reference throw NotFoundError when there is no such policy, and ForbiddenError when the team's key may not do
 * this with it (K4, K8). All throw UnavailableError while the store is unavailable.
 */
export class Policies {
  readonly #store: ConfigurationStore;
  readonly #directory: ResponderDirectory;
  readonly #clock: Clock;
  readonly #newId: () => string;

  constructor({ store, directory, clock, newId }: PoliciesDependencies) {
    this.#store = store;
    this.#directory = directory;
    this.#clock = clock;
    this.#newId = newId;
  }

  /**
   * Adds a policy of the account, or of team `teamId`, behind those of its kind.
   *
   * @throws NotFoundError when the team or a recipient does not exist.
   * @throws ForbiddenError when a team's key creates it for another team than its own, or names another team's things (K8,
   * K9).
   * @throws InvalidError when the account or team has too many policies, or they are too large or too slow together.
   * @throws UnavailableError when the owner of a named thing cannot be asked.
   */
  async create(body: PolicyBody, teamId: string | undefined, caller: Principal): Promise<Policy> {
    refuseOtherScope(teamId, caller);
    const team = await this.#requireTeam(teamId);
    requireOwnership({ ownerTeamId: teamId, teamName: team?.name, kind: 'a policy' }, caller);
    const read = await lookUpRecipients(this.#directory, { wanted: body.effects, teamId: boundTeam(caller) });
    const own = { id: this.#newId(), createdAt: this.#clock.now(), teamId };
    const draft = { ...body, ...own, effects: read(body.effects) };
    return this.#store.change((present) => {
      const created = { ...draft, order: inOrder(present.policies, sequenceOf(draft)).length };
      refuseExcess(present, created);
      return { policies: { put: [created] }, answer: created };
    });
  }

  /**
   * Creates the policy of another account with its id, or replaces it by the result of `read` for its present state. Only keys of the
   * account may do that (I7).
   *
   * A new policy is put at its place of that account among its peers, as {@link importPlace} says. One that exists is moved only where
   * `order` differs from that of its last import, and `isMoved`.
   *
   * @throws as `create` and `replace`, and InvalidError where it is of another team.
   */
  async put(id: string, wanted: ImportedPolicy, caller: Principal): Promise<ImportResult> {
    const { teamId } = wanted;
    const before = policyOf(await this.#store.current(), id);
    const body = wanted.read(before);
    if (before === undefined || body.enabled === true) await this.#requireTeam(teamId);
    const naming = { wanted: body.effects, ...(before && { before: before.effects }), teamId: boundTeam(caller) };
    const readEffects = await lookUpRecipients(this.#directory, naming);
    return this.#store.change((present) => {
      const policy = policyOf(present, id);
      if (policy !== undefined && policy.teamId !== teamId)
        throw InvalidError.ofFields({ teamId: 'of a policy can not be changed' });
      const own = policy ?? { id, createdAt: this.#clock.now(), teamId, order: Infinity };
      const next = imported(own, wanted.read(policy), readEffects, importOrderOf(policy, wanted));
      if (isDeepStrictEqual(next, policy)) return { answer: 'Unchanged' };
      refuseExcess(present, next);
      const isKept = policy !== undefined && next.importOrder === policy.importOrder;
      const isPeer = (other: Policy) => wanted.arePeers(next, other);
      const at = isKept ? policy.order : importPlace(present.policies, next, isPeer);
      const answer = policy === undefined ? 'Created' : 'Updated';
      return { policies: { put: placed(present.policies, next, at) }, answer };
    });
  }

  async get(reference: PolicyReference, caller: Principal): Promise<Policy> {
    return visible(await this.#store.current(), reference, caller);
  }

  /** All policies, for other services. */
  async all(): Promise<readonly Policy[]> {
    return (await this.#store.current()).policies;
  }

  /**
   * The policies of the account, or of team `teamId`: alert policies, then notification policies, each in their order.
   *
   * @throws NotFoundError when there is no such team, and no policies of a deleted one (P18).
   */
  async list(teamId: string | undefined, caller: Principal): Promise<readonly Policy[]> {
    refuseOtherScope(teamId, caller);
    const { policies } = await this.#store.current();
    const listed = (['alert', 'notification'] as const).flatMap((kind) => inOrder(policies, { teamId, kind }));
    if (listed.length === 0) await this.#requireTeam(teamId);
    return listed;
  }

  /**
   * Replaces the policy by the result of `read` for its present state. `read` may run several times.
   *
   * @throws as `create`, and NotFoundError when it would be enabled but its team is deleted (P18).
   */
  async replace(
    reference: PolicyReference,
    read: (present: Policy) => PolicyReplacement,
    caller: Principal,
  ): Promise<Policy> {
    const before = writable(await this.#store.current(), reference, caller);
    const { effects: wanted, enabled } = read(before);
    if (enabled === true) await this.#requireTeam(before.teamId);
    const naming = { wanted, before: before.effects, teamId: boundTeam(caller) };
    const readEffects = await lookUpRecipients(this.#directory, naming);
    return this.#store.change((present) => {
      const policy = writable(present, reference, caller);
      const replaced = replacedBy(policy, read(policy), readEffects);
      if (isDeepStrictEqual(replaced, policy)) return { answer: policy };
      refuseExcess(present, replaced);
      return { policies: { put: [replaced] }, answer: replaced };
    });
  }

  async remove(reference: PolicyReference, caller: Principal): Promise<void> {
    await this.#store.change((present) => ({
      policies: removal(present.policies, writable(present, reference, caller)),
      answer: undefined,
    }));
  }

  /** @throws NotFoundError when its team is deleted (P18). */
  async enable(reference: PolicyReference, caller: Principal): Promise<void> {
    const { teamId } = writable(await this.#store.current(), reference, caller);
    await this.#requireTeam(teamId);
    await this.#switch(reference, true, caller);
  }

  async disable(reference: PolicyReference, caller: Principal): Promise<void> {
    await this.#switch(reference, false, caller);
  }

  /** Moves it to a place, from 0, among its peers in its sequence; to the end if there are fewer (P8). */
  async move(
    reference: PolicyReference,
    targetIndex: number,
    caller: Principal,
    arePeers: (one: Policy, other: Policy) => boolean,
  ): Promise<void> {
    await this.#store.change((present) => {
      const policy = writable(present, reference, caller);
      const isPeer = (other: Policy) => arePeers(policy, other);
      return { policies: move(present.policies, policy, targetIndex, isPeer), answer: undefined };
    });
  }

  /** Disables the policies of a team that is being deleted, and returns how many it has. Idempotent (P18). */
  async disableOfTeam(teamId: string): Promise<number> {
    return this.#store.change(({ policies }) => {
      const owned = policies.filter((policy) => policy.teamId === teamId);
      const put = owned.filter(({ enabled }) => enabled).map((policy) => ({ ...policy, enabled: false }));
      return { policies: { put }, answer: owned.length };
    });
  }

  async #switch(reference: PolicyReference, enabled: boolean, caller: Principal): Promise<void> {
    await this.#store.change((present) => {
      const policy = writable(present, reference, caller);
      if (policy.enabled === enabled) return { answer: undefined };
      return { policies: { put: [{ ...policy, enabled }] }, answer: undefined };
    });
  }

  async #requireTeam(teamId: string | undefined): Promise<{ readonly name: string } | undefined> {
    if (teamId === undefined) return undefined;
    const team = { type: 'team', id: teamId } as const;
    return existing(await this.#directory.resolve(team), team, 'Team');
  }
}

function replacedBy(policy: Policy, { enabled, ...wanted }: PolicyReplacement, readEffects: ReadEffects): Policy {
  const effects = readEffects(wanted.effects, policy.effects);
  return { ...policy, ...wanted, enabled: enabled ?? policy.enabled, effects };
}

function imported(
  own: Omit<Policy, 'importOrder' | keyof PolicyReplacement> & Partial<Policy>,
  { enabled = true, effects, ...rest }: PolicyReplacement,
  readEffects: ReadEffects,
  importOrder: number | undefined,
): Policy {
  const read = { ...own, ...rest, enabled, effects: readEffects(effects, own.effects) };
  return importOrder === undefined ? read : { ...read, importOrder };
}

/** The place in the other account that a policy is to keep. */
function importOrderOf(policy: Policy | undefined, { isMoved, order }: ImportedPolicy): number | undefined {
  return policy === undefined || (isMoved && order !== undefined) ? order : policy.importOrder;
}

/** Counts all policies of the scope together, of both kinds. */
function refuseExcess({ policies }: Configuration, written: Policy): void {
  const others = policies.filter(({ id, teamId }) => teamId === written.teamId && id !== written.id);
  const owner = written.teamId === undefined ? 'The account' : 'A team';
  switch (excessOf([...others, written])) {
    case 'policies':
      throw InvalidError.about('policy', `${owner} has at most ${MAX_POLICIES} policies.`);
    case 'bytes':
      throw InvalidError.about('policy', `${owner} has at most ${MAX_BYTES_OF_TEAM} bytes of policies.`);
    case 'patterns':
      throw InvalidError.ofFields({ filter: TOO_MANY_STEPS });
    case undefined:
      return;
  }
}

/** A policy of another account. */
export interface ImportedPolicy {
  /** The team that owns it; undefined means the account. */
  readonly teamId: string | undefined;
  /** Its place there, from 0 and perhaps with gaps; by default it is the last, or stays where it is. */
  readonly order: number | undefined;
  readonly arePeers: (one: Policy, other: Policy) => boolean;
  readonly isMoved: boolean;
  /** Its new state, from the present one. It may be called several times. */
  readonly read: (present: Policy | undefined) => PolicyReplacement;
}

const policyOf = ({ policies }: Configuration, id: string): Policy | undefined => policies.find((one) => one.id === id);

/** How a request names a policy. */
export interface PolicyReference {
  readonly id: string;
  /** Whether the requested version of the API shows such a policy; others do not exist for it. */
  readonly isShown: (policy: Policy) => boolean;
}

/**
 * The policy that `reference` names and `caller` may see (K4).
 *
 * @throws NotFoundError when there is none.
 * @throws ForbiddenError when the key is a team's, and the policy is the account's (K8), or another team's without
 * naming the key's team.
 */
function visible({ policies }: Configuration, { id, isShown }: PolicyReference, caller: Principal): Policy {
  const policy = policies.find((one) => one.id === id);
  if (policy === undefined) throw unknownPolicy(id);
  if (!mayRead(policy, caller)) throw teamKeyRefused();
  if (!isShown(policy)) throw unknownPolicy(id);
  return policy;
}

/**
 * As `visible`, for a policy that the caller may change.
 *
 * @throws ForbiddenError when the key is a team's and the policy is not, or the person may not change it (K12).
 */
function writable(present: Configuration, reference: PolicyReference, caller: Principal): Policy {
  const policy = visible(present, reference, caller);
  requireWrite({ ownerTeamId: policy.teamId, action: `change policy [${policy.name}]` }, caller);
  return policy;
}

/** Whether `caller` may read the policy (K4, K8). */
export const mayRead = (policy: Policy, caller: Principal): boolean => accessToPolicy(policy, caller) !== 'none';

/** @throws ForbiddenError when a team's key lists or creates policies of a scope other than its team. */
function refuseOtherScope(teamId: string | undefined, caller: Principal): void {
  const bound = boundTeam(caller);
  if (bound !== undefined && bound !== teamId) throw teamKeyRefused();
}

function accessToPolicy({ teamId: ownerTeamId, effects }: Policy, caller: Principal): Access {
  if (boundTeam(caller) !== undefined && ownerTeamId === undefined) return 'none';
  const recipients = effects.kind === 'alert' ? effects.modify.recipients : [];
  const namedTeamIds = recipients.flatMap((one) => (one.type === 'team' ? [one.id] : []));
  return accessTo({ ownerTeamId, namedTeamIds }, caller);
}

const unknownPolicy = (id: string) => new NotFoundError(`Policy does not exist with id: ${id}`);
