import { UnavailableError } from '@tocsin/core';
import type { InternalClient } from '@tocsin/http';
import type { Metrics, ServiceContext } from '@tocsin/service';
import type { KeyDirectory } from '../authentication/key-directory.ts';
import type { LearnedKeys } from './learned-keys.ts';

/** Real time between two reports. What a process that dies has not reported is lost. */
const REPORT_EVERY_MS = 10_000;

interface KeyReports {
  readonly alertIngest: Pick<InternalClient, 'post'>;
  readonly learned: LearnedKeys;
  readonly keys: Pick<KeyDirectory, 'held'>;
  readonly metrics: Pick<Metrics, 'opsgenieKeysNotImported'>;
  /** The id of this process, whose counts rise on their own. */
  readonly source: string;
}

/** Adds a task that reports the keys with which Opsgenie accepts requests to alert-ingest (M9). */
export function reportLearnedKeys({ tasks }: Pick<ServiceContext, 'tasks'>, reports: KeyReports): void {
  tasks.add({ name: 'report-opsgenie-keys', everyMs: REPORT_EVERY_MS, activate: () => reportChangedKeys(reports) });
}

/** @throws what the request throws; the keys are part of the next report. */
export async function reportChangedKeys({ alertIngest, keys, learned, metrics, source }: KeyReports): Promise<void> {
  metrics.opsgenieKeysNotImported(learned.hashes().filter((sha256) => keys.held(sha256) === undefined).length);
  await learned.storeChanged(async (changed) => {
    const { status } = await alertIngest.post('/internal/opsgenie-keys', { source, keys: changed });
    if (status !== 200) throw new UnavailableError(`A report of keys of Opsgenie was answered ${status}.`);
  });
}
