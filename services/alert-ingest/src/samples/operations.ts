import { hashKey, type WholeBody } from '@tocsin/http';
import type { AnsweredHook } from '../hooks/operations.ts';
import type { Integration } from '../integrations/integration.ts';
import { sampleOf } from './redaction/redacted-sample.ts';
import type { Sample } from './sample.ts';
import type { SampleStore } from './store.ts';

/** All requests that wait to be stored, and those of one integration, in bytes of their bodies. */
const MAX_BYTES = 16_777_216;
const MAX_BYTES_OF_ONE = 4_194_304;
const MAX_REQUESTS = 1_000;
/** So many requests are stored in one run, about. */
const BATCH = 50;

export interface RecorderOptions {
  /** How many samples of an integration are kept; 0 keeps none. */
  readonly samples: number;
  readonly store: Pick<SampleStore, 'add' | 'integrationIds' | 'removeOf'>;
  readonly findIntegration: (id: string) => Promise<Integration | undefined>;
  /** Those of the ids whose integration is there and keeps samples. */
  readonly keepingSamples: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
}

/**
 * Keeps the last requests of the tools of each integration (Q8). A request waits in memory until the next run stores it, so that its
 * answer waits for nothing. Those that wait are lost where the process dies or the database refuses them.
 */
export class Recorder {
  readonly #options: RecorderOptions;
  /** By integration, the oldest first. */
  readonly #waiting = new Map<string, AnsweredHook[]>();
  #requests = 0;
  #bytes = 0;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  /** Takes the place of the oldest requests of its integration, where these are too many. Lost where those of all are too many. */
  record(answered: AnsweredHook): void {
    const { samples } = this.#options;
    if (samples === 0) return;
    const requests = this.#waiting.get(answered.integrationId) ?? [];
    const size = sizeOf(answered);
    while (requests.length > 0 && (requests.length >= samples || bytesOf(requests) + size > MAX_BYTES_OF_ONE))
      this.#count(requests.shift(), -1);
    if (this.#requests >= MAX_REQUESTS || this.#bytes + size > MAX_BYTES) return;
    requests.push(answered);
    this.#count(answered, 1);
    this.#waiting.set(answered.integrationId, requests);
  }

  /** Stores requests that wait, of one integration after the other; the rest with the next run. */
  async storeWaiting(): Promise<void> {
    let stored = 0;
    for (const [integrationId, requests] of this.#waiting) {
      if (stored >= BATCH) return;
      // Integrations that come later in the run are not behind one that goes on.
      this.#waiting.delete(integrationId);
      for (const answered of requests) this.#count(answered, -1);
      await this.#store(integrationId, requests);
      stored += requests.length;
    }
  }

  /**
   * Removes the samples of integrations that are deleted or keep none: of a process that died between the change and their removal, and of one
   * that stored them just then.
   */
  async removeUnkept(): Promise<void> {
    const { keepingSamples, store } = this.#options;
    const ids = await store.integrationIds();
    const kept = await keepingSamples(ids);
    const unkept = ids.filter((id) => !kept.has(id));
    if (unkept.length > 0) await store.removeOf(unkept);
  }

  async #store(integrationId: string, requests: readonly AnsweredHook[]): Promise<void> {
    const { findIntegration, samples: max, store } = this.#options;
    const integration = await findIntegration(integrationId);
    // Deleted meanwhile, or it is to keep none.
    if (integration?.keepSamples !== true) return;
    const hashes = keyHashesOf(integration);
    const samples: Sample[] = [];
    for (const answered of requests) samples.push(await sampleOf(answered, (uuid) => hashes.has(hashKey(uuid))));
    await store.add(integrationId, samples, max);
  }

  #count(answered: AnsweredHook | undefined, sign: 1 | -1): void {
    if (answered === undefined) return;
    this.#requests += sign;
    this.#bytes += sign * sizeOf(answered);
  }
}

const keyHashesOf = ({ key, retiringKeys }: Integration): ReadonlySet<string> =>
  new Set([...(key === undefined ? [] : [key.hash]), ...retiringKeys.map(({ keyHash }) => keyHash)]);

const sizeOf = ({ sent }: { readonly sent: { readonly body: WholeBody } }): number => sent.body.bytes.length;

const bytesOf = (requests: readonly AnsweredHook[]): number =>
  requests.reduce((sum, answered) => sum + sizeOf(answered), 0);
