import { createStore } from './store.ts';
import { readStored, writeStored } from './stored.ts';

const KEY = 'tocsin-single-keys';

/** Whether keys of one character are shortcuts. Speech and tremor can press them by mistake, so a person can turn them off. */
export const singleKeysStore = createStore(readStored('device', KEY) !== 'off');

/** Keeps the choice on this device; where the browser refuses it, it holds until the page is left. */
export function chooseSingleKeys(isOn: boolean): void {
  singleKeysStore.set(isOn);
  writeStored('device', KEY, isOn ? undefined : 'off');
}
