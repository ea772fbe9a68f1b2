import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '@tocsin/clock';
import { TOO_MANY_STEPS, type PolicyBody, type PolicyReplacement } from '@tocsin/contracts';
import { InvalidError } from '@tocsin/errors';
import { MOST_BYTES_OF_TEAM } from '@tocsin/rules';
import type { Configuration } from '../domain/configuration.ts';
import { excessOf, MOST_POLICIES } from '../domain/policies/policy-bounds.ts';
import type { Policy } from '../domain/policies/policy.ts';
import { inOrder, move, removal, sequenceOf } from '../domain/policies/policy-order.ts';
import type { ConfigurationStore } from '../ports/configuration-store.ts';
import type { ResponderDirectory } from '../ports/responder-directory.ts';
import { refuseOtherScope, visible, writable, type PolicyCaller, type PolicyReference } from './policy-access.ts';
import { lookUpRecipients, type ReadEffects } from './policy-recipients.ts';
import { existing } from './responder-look-up.ts';

export interface PoliciesDependencies {
  readonly store: ConfigurationStore;
  readonly directory: ResponderDirectory;
  readonly clock: Clock;
  readonly newId: () => string;
}

/**
 * The operations on policies, for both versions of the API (part 1, 4.5; P14). Every write is decided on the state that
 * the write before it left.
 *
 * Methods that take a reference throw NotFoundError when there is no such policy, and ForbiddenError when the team's
 * key may not do this with it (K4, K8). All throw UnavailableError while the store is away.
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
   * @throws ForbiddenError when a team's key creates it for anybody but its team, or names another team's things (K8,
   * K9).
   * @throws InvalidError when the account or team has too many policies, or they are too large or too slow together.
   * @throws UnavailableError when the owner of a named thing cannot be asked.
   */
  async create(body: PolicyBody, teamId: string | undefined, caller: PolicyCaller): Promise<Policy> {
    refuseOtherScope(teamId, caller);
    await this.#requireTeam(teamId);
    const read = await lookUpRecipients(this.#directory, { wanted: body.effects, teamId: caller.teamId });
    const own = { id: this.#newId(), createdAt: this.#clock.now(), teamId };
    const draft = { ...body, ...own, effects: read(body.effects) };
    return this.#store.change((present) => {
      const created = { ...draft, order: inOrder(present.policies, sequenceOf(draft)).length };
      refuseExcess(present, created);
      return { policies: { put: [created] }, answer: created };
    });
  }

  async get(reference: PolicyReference, caller: PolicyCaller): Promise<Policy> {
    return visible(await this.#store.current(), reference, caller);
  }

  /**
   * The policies of the account, or of team `teamId`: alert policies, then notification policies, each in their order.
   *
   * @throws NotFoundError when there is no such team, and no policies of a deleted one (P18).
   */
  async list(teamId: string | undefined, caller: PolicyCaller): Promise<readonly Policy[]> {
    refuseOtherScope(teamId, caller);
    const { policies } = await this.#store.current();
    const listed = (['alert', 'notification'] as const).flatMap((kind) => inOrder(policies, { teamId, kind }));
    if (listed.length === 0) await this.#requireTeam(teamId);
    return listed;
  }

  /**
   * Replaces the policy by what `read` makes of its present state. `read` may run several times.
   *
   * @throws as `create`, and NotFoundError when it would be enabled but its team is deleted (P18).
   */
  async replace(
    reference: PolicyReference,
    read: (present: Policy) => PolicyReplacement,
    caller: PolicyCaller,
  ): Promise<Policy> {
    const before = writable(await this.#store.current(), reference, caller);
    const { effects: wanted, enabled } = read(before);
    if (enabled === true) await this.#requireTeam(before.teamId);
    const naming = { wanted, before: before.effects, teamId: caller.teamId };
    const readEffects = await lookUpRecipients(this.#directory, naming);
    return this.#store.change((present) => {
      const policy = writable(present, reference, caller);
      const replaced = replacedBy(policy, read(policy), readEffects);
      if (isDeepStrictEqual(replaced, policy)) return { answer: policy };
      refuseExcess(present, replaced);
      return { policies: { put: [replaced] }, answer: replaced };
    });
  }

  async remove(reference: PolicyReference, caller: PolicyCaller): Promise<void> {
    await this.#store.change((present) => ({
      policies: removal(present.policies, writable(present, reference, caller)),
      answer: undefined,
    }));
  }

  /** @throws NotFoundError when its team is deleted (P18). */
  async enable(reference: PolicyReference, caller: PolicyCaller): Promise<void> {
    const { teamId } = writable(await this.#store.current(), reference, caller);
    await this.#requireTeam(teamId);
    await this.#switch(reference, true, caller);
  }

  async disable(reference: PolicyReference, caller: PolicyCaller): Promise<void> {
    await this.#switch(reference, false, caller);
  }

  /** Moves it to a place, from 0, among its peers in its sequence; to the end if there are fewer (P8). */
  async move(
    reference: PolicyReference,
    targetIndex: number,
    caller: PolicyCaller,
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

  async #switch(reference: PolicyReference, enabled: boolean, caller: PolicyCaller): Promise<void> {
    await this.#store.change((present) => {
      const policy = writable(present, reference, caller);
      if (policy.enabled === enabled) return { answer: undefined };
      return { policies: { put: [{ ...policy, enabled }] }, answer: undefined };
    });
  }

  async #requireTeam(teamId: string | undefined): Promise<void> {
    if (teamId === undefined) return;
    const team = { type: 'team', id: teamId } as const;
    existing(await this.#directory.resolve(team), team, 'Team');
  }
}

function replacedBy(policy: Policy, { enabled, ...wanted }: PolicyReplacement, readEffects: ReadEffects): Policy {
  const effects = readEffects(wanted.effects, policy.effects);
  return { ...policy, ...wanted, enabled: enabled ?? policy.enabled, effects };
}

/** Counts all policies of the scope together, of both kinds. */
function refuseExcess({ policies }: Configuration, written: Policy): void {
  const others = policies.filter(({ id, teamId }) => teamId === written.teamId && id !== written.id);
  const owner = written.teamId === undefined ? 'The account' : 'A team';
  switch (excessOf([...others, written])) {
    case 'policies':
      throw InvalidError.about('policy', `${owner} has at most ${MOST_POLICIES} policies.`);
    case 'bytes':
      throw InvalidError.about('policy', `${owner} has at most ${MOST_BYTES_OF_TEAM} bytes of policies.`);
    case 'patterns':
      throw InvalidError.ofFields({ filter: TOO_MANY_STEPS });
    case undefined:
      return;
  }
}
