import { Decisions, type BuriedRecord, type Decision, type Settlement } from '@tocsin/contracts';
import { buryRecord, type Connection, type Outbox } from '@tocsin/persistence';
import type { Burials } from '../ports/burials.ts';

/** Leaves behind in MongoDB what fails for ever. */
export class MongoBurials implements Burials {
  readonly #connection: Connection;
  readonly #outbox: Outbox;

  constructor(connection: Connection, outbox: Outbox) {
    this.#connection = connection;
    this.#outbox = outbox;
  }

  async bury(record: BuriedRecord, decision: Decision | undefined): Promise<Settlement> {
    const settlement = await buryRecord({
      connection: this.#connection,
      record,
      work: async (session) => {
        if (decision !== undefined) await this.#outbox.add(session, Decisions, [decision]);
      },
    });
    void this.#outbox.flush();
    return settlement;
  }
}
