import type { ServiceContext } from '@tocsin/service';
import { Recorder, type RecorderOptions } from './operations.ts';

/** Real time. */
const STORE_EVERY_MS = 1_000;
const REMOVE_EVERY_MS = 30_000;

/** Opens the recorder of this process, stores what it records, and removes what is not to be kept. */
export function recordSamples({ tasks }: Pick<ServiceContext, 'tasks'>, options: RecorderOptions): Recorder {
  const recorder = new Recorder(options);
  tasks.add({
    name: 'store-samples',
    everyMs: STORE_EVERY_MS,
    activate: () => recorder.storeWaiting(),
  });
  tasks.add({
    name: 'remove-samples',
    everyMs: REMOVE_EVERY_MS,
    activate: () => recorder.removeUnkept(),
  });
  return recorder;
}
