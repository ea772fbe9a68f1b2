import { beforeEach, describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@tocsin/core';
import { SHADOW_SWITCH, type ShadowSwitchState, type StateMessage } from '@tocsin/events';
import { MemoryReplica } from '@tocsin/kafka';
import { ImportedKeys } from './imported-keys.ts';

const state = (importedKeys?: ShadowSwitchState['importedKeys']): ShadowSwitchState => ({
  enabled: false,
  changedAt: '2026-01-01T00:00:00Z',
  ...(importedKeys !== undefined && { importedKeys }),
});
const message = (n: number, importedKeys?: ShadowSwitchState['importedKeys']): StateMessage<ShadowSwitchState> => ({
  id: SHADOW_SWITCH,
  version: { epoch: 0, n },
  deleted: false,
  state: state(importedKeys),
});

let nowMs: number;
let atDirectory: StateMessage<ShadowSwitchState> | Error | undefined;
let readFor: number;
let switches: MemoryReplica<ShadowSwitchState>;
let importedKeys: ImportedKeys;

beforeEach(() => {
  [nowMs, readFor, atDirectory] = [0, 0, undefined];
  switches = new MemoryReplica();
  importedKeys = new ImportedKeys({
    switches,
    nowMs: () => nowMs,
    read: () => {
      nowMs += readFor;
      return atDirectory instanceof Error ? Promise.reject(atDirectory) : Promise.resolve(atDirectory);
    },
  });
});

describe('requests with imported keys at a gateway (M8)', () => {
  it('are forwarded until directory says that shadow has ended, whatever the topic says', async () => {
    switches.put(SHADOW_SWITCH, state('here'));
    expect(importedKeys.areHandledHere).toBe(false);
    await importedKeys.refresh();
    expect(importedKeys.areHandledHere).toBe(false);
    atDirectory = message(1);
    await importedKeys.refresh();
    expect(importedKeys.areHandledHere).toBe(false);
    atDirectory = message(2, 'here');
    await importedKeys.refresh();
    expect(importedKeys.areHandledHere).toBe(true);
    atDirectory = message(3, 'leaving');
    await importedKeys.refresh();
    expect(importedKeys.areHandledHere).toBe(false);
  });

  it('are handled here for 4 s from the begin of the last read, also by a gateway that was frozen', async () => {
    atDirectory = message(1, 'here');
    readFor = 1_000;
    await importedKeys.refresh();
    nowMs = 3_999;
    expect(importedKeys.areHandledHere).toBe(true);
    atDirectory = new UnavailableError('Directory does not answer.');
    readFor = 0;
    await expect(importedKeys.refresh()).rejects.toThrow('Directory does not answer.');
    expect(importedKeys.areHandledHere).toBe(true);
    nowMs = 4_000;
    expect(importedKeys.areHandledHere).toBe(false);
  });

  it('are forwarded as soon as the topic says so, and while directory has an older state than the topic', async () => {
    atDirectory = message(1, 'here');
    await importedKeys.refresh();
    switches.put(SHADOW_SWITCH, state('here'));
    expect(importedKeys.areHandledHere).toBe(true);
    switches.put(SHADOW_SWITCH, state('leaving'));
    expect(importedKeys.areHandledHere).toBe(false);
    // The database of directory was restored.
    await importedKeys.refresh();
    expect(importedKeys.areHandledHere).toBe(false);
    atDirectory = message(9, 'here');
    await importedKeys.refresh();
    expect(importedKeys.areHandledHere).toBe(true);
  });
});
