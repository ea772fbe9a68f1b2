import { mapInSteps } from '@tocsin/core';
import { collectionOf, type Connection, type IndexPlan } from '@tocsin/mongo';
import type { Sample, SampleRequest, SampleSummary } from './sample.ts';

const SAMPLES = 'integration_samples';
/** Summaries that the driver decodes in one step. */
const READ_BATCH = 20;
const DAY_SECONDS = 24 * 3_600;

/** With the id of the request as `_id`. */
interface SampleDocument extends Omit<SampleSummary, 'id'> {
  readonly _id: string;
  readonly integrationId: string;
  /** As JSON, because the sender chooses the names in it. */
  readonly request: string;
  /** Real time, because the index that removes it uses that. */
  readonly storedAt: Date;
}

export const sampleIndexes: readonly IndexPlan[] = [
  {
    collection: SAMPLES,
    keys: { integrationId: 1, receivedAt: -1, _id: -1 },
    serves: 'the samples of one integration, the newest first, and of which integrations there are any',
  },
  {
    collection: SAMPLES,
    keys: { storedAt: 1 },
    options: { expireAfterSeconds: 7 * DAY_SECONDS },
    serves: 'the end of samples',
  },
];

const NEWEST = { receivedAt: -1, _id: -1 } as const;

/** Keeps samples of the requests of tools (Q8). */
export class SampleStore {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Adds samples of an integration, and removes those of it beyond the newest `max`. A sample that is there already stays. */
  async add(integrationId: string, samples: readonly Sample[], max: number): Promise<void> {
    await this.#samples().bulkWrite(
      samples.map(({ id, request, ...summary }) => ({
        updateOne: {
          filter: { _id: id },
          update: {
            $setOnInsert: { ...summary, integrationId, request: JSON.stringify(request) },
            $currentDate: { storedAt: true } as const,
          },
          upsert: true,
        },
      })),
      { ordered: false },
    );
    const beyond = await this.#samples()
      .find({ integrationId }, { projection: { _id: 1 }, sort: NEWEST, skip: max })
      .toArray();
    if (beyond.length > 0) await this.#samples().deleteMany({ _id: { $in: beyond.map(({ _id }) => _id) } });
  }

  /** The newest samples of an integration, the newest first, without their requests. */
  async list(integrationId: string, max: number): Promise<readonly SampleSummary[]> {
    // MongoDB takes 0 for no limit.
    if (max === 0) return [];
    const found = this.#samples().find(
      { integrationId },
      { projection: { request: 0 }, sort: NEWEST, limit: max, batchSize: READ_BATCH },
    );
    return mapInSteps(found, summaryOf);
  }

  async find(integrationId: string, id: string): Promise<Sample | undefined> {
    const found = await this.#samples().findOne({ _id: id, integrationId });
    if (found === null) return undefined;
    return { ...summaryOf(found), request: JSON.parse(found.request) as SampleRequest };
  }

  /** The ids of the integrations of which there are samples. */
  async integrationIds(): Promise<readonly string[]> {
    return this.#samples().distinct('integrationId');
  }

  /** Removes all samples of the integrations. */
  async removeOf(integrationIds: readonly string[]): Promise<void> {
    await this.#samples().deleteMany({ integrationId: { $in: [...integrationIds] } });
  }

  #samples() {
    return collectionOf<SampleDocument>(this.#connection, SAMPLES);
  }
}

const summaryOf = ({ _id, isTruncated, receivedAt, result }: SampleDocument): SampleSummary => ({
  id: _id,
  receivedAt,
  result,
  isTruncated,
});
