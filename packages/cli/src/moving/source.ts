import { kindOf, type KindName, type Listed, type Thing } from './kinds.ts';
import type { OpsgenieClient } from './opsgenie-client.ts';
import type { SnapshotOrigin } from './snapshot/manifest.ts';

/** Where things of an account are read: its API, or the files of a backup. */
export interface Source {
  readonly origin: SnapshotOrigin;
  /** @throws ApiReadError with the fault `missing` or `plan` where the source does not have the kind. */
  list(kind: KindName): Promise<readonly Listed[]>;
  /** Undefined where the thing was deleted after it was listed. */
  read(kind: KindName, listed: Listed): Promise<Thing | undefined>;
}

/** The API of the account. */
export class ApiSource implements Source {
  readonly #client: OpsgenieClient;
  readonly #day: string;

  /** Timelines begin with the day of `startedAt`. */
  constructor(client: OpsgenieClient, startedAt: Date) {
    this.#client = client;
    this.#day = startedAt.toISOString().slice(0, 10);
  }

  get origin(): SnapshotOrigin {
    return { type: 'api', url: this.#client.url };
  }

  list(kind: KindName): Promise<readonly Listed[]> {
    return kindOf(kind).list(this.#client);
  }

  read(kind: KindName, listed: Listed): Promise<Thing | undefined> {
    return kindOf(kind).read(this.#client, listed, this.#day);
  }
}
