import type { Integration } from '../domain/integration.ts';

/** Which integrations a list asks for; what is absent filters nothing. */
export interface IntegrationFilter {
  /** Compared without regard to case (P12). */
  readonly type?: string | undefined;
  readonly ownerTeamId?: string | undefined;
}

/**
 * Keeps integrations. A write that is done is told to the other services before it resolves, or as soon as Kafka takes it. None
 * leaves an integration enabled for a deleted team (S12).
 */
export interface IntegrationStore {
  /**
   * @throws ConflictError when the name is taken (exact comparison, E14), the id or the key is.
   * @throws NotFoundError when it is enabled and its team is deleted.
   */
  insert(integration: Integration): Promise<void>;
  find(id: string): Promise<Integration | undefined>;
  findByKeyHash(keyHash: string): Promise<Integration | undefined>;
  /** In the order of their creation (E7). */
  list(filter: IntegrationFilter): Promise<readonly Integration[]>;
  /**
   * Replaces the integration by what `change` makes of it, undisturbed by other writers, and returns that; nothing is
   * written when `change` returns its argument. Undefined when there is no such integration.
   *
   * @throws ConflictError and NotFoundError as `insert`.
   */
  update(id: string, change: (current: Integration) => Integration): Promise<Integration | undefined>;
  /**
   * Takes down that a team is deleted and switches off every integration that it has, in one step, which is told to the other
   * services once. Gives all of them, in the order of their creation.
   */
  disableOfTeam(teamId: string): Promise<readonly Integration[]>;
  /** False when there is no such integration. */
  remove(id: string): Promise<boolean>;
}
