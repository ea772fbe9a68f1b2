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
    again.save(1);
    again.close();
    expect(MirrorFile.startIn(folder, SIDES)).toEqual(START);
  });
});
