import type { InternalClient } from '@tocsin/http';
import { expectSuccess } from '../schedules/client.ts';

/** The things of a team in another service: its integrations in alert-ingest, its policies in alert-processor. */
export class TeamPartsClient {
  readonly #client: Pick<InternalClient, 'delete'>;
  readonly #service: 'alert-ingest' | 'alert-processor';

  constructor(client: Pick<InternalClient, 'delete'>, service: 'alert-ingest' | 'alert-processor') {
    this.#client = client;
    this.#service = service;
  }

  /**
   * Disables the things of the team there (S12, P18). A repeat has no further effect.
   *
   * @throws UnavailableError when the service cannot be asked.
   */
  async disableOf(teamId: string): Promise<void> {
    const parts = this.#service === 'alert-ingest' ? 'integrations' : 'policies';
    const path = `/internal/teams/${encodeURIComponent(teamId)}/${parts}`;
    expectSuccess(await this.#client.delete(path), this.#service);
  }

  /**
   * Makes alert-ingest forget that a team with this id was deleted, so that it takes integrations of the team. A repeat has no further effect.
   *
   * @throws UnavailableError when the service cannot be asked.
   */
  async forgetDeletion(teamId: string): Promise<void> {
    expectSuccess(await this.#client.delete(`/internal/deleted-teams/${encodeURIComponent(teamId)}`), this.#service);
  }
}

export type TeamParts = Pick<TeamPartsClient, 'disableOf'>;
export type TeamIntegrations = TeamParts & Pick<TeamPartsClient, 'forgetDeletion'>;
