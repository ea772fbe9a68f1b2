import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MirrorFile } from './mirror-file.ts';

const SIDES = { from: 'https://api.opsgenie.example', to: 'https://tocsin.example.com' };
const START = new Date('2026-03-02T08:00:00Z');
let folder: string;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tocsin-mirror-'));
});
afterEach(() => {
  fs.rmSync(folder, { recursive: true, force: true });
});

describe('the file of a mirror', () => {
  it('keeps when the mirror was begun, also where its process died in its first look', () => {
    MirrorFile.open(folder, SIDES, START).close();
    const again = MirrorFile.open(folder, SIDES, new Date('2026-03-02T09:00:00Z'));
    expect([again.startedAt, again.mirroredUntilMs]).toEqual([START, undefined]);
    again.save(1, []);
    again.close();
    expect(MirrorFile.startIn(folder, SIDES)).toEqual(START);
  });

  it('keeps the ids of up to 1000 refused alerts for the next process, and says where there were more', () => {
    const ids = Array.from({ length: 1_001 }, (_, number) => `alert-${number}`);
    const file = MirrorFile.open(folder, SIDES, START);
    file.save(1, ids.slice(0, 1_000));
    file.close();
    expect(MirrorFile.refusedIn(folder, SIDES)).toEqual({ refused: ids.slice(0, 1_000), isCut: false });
    const again = MirrorFile.open(folder, SIDES, START);
    again.save(2, ids);
    again.save(3, []);
    again.close();
    expect(MirrorFile.refusedIn(folder, SIDES)).toEqual({ refused: [], isCut: true });
  });
});
