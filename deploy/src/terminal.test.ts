import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { isKept } from './terminal.ts';

let fd: number;
let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tocsin-terminal-'));
});
afterEach(() => {
  fs.closeSync(fd);
  fs.rmSync(folder, { recursive: true });
});

describe('isKept', () => {
  test('recognises a file, in which a secret would stay', () => {
    fd = fs.openSync(path.join(folder, 'start.log'), 'w');

    expect(isKept(fd, undefined)).toBe(true);
  });

  test('recognises the journal of the system by its number, and takes no other output for it', () => {
    fd = fs.openSync('/dev/null', 'w');
    const { dev, ino } = fs.fstatSync(fd);

    expect(isKept(fd, `${dev}:${ino}`)).toBe(true);
    expect(isKept(fd, '8:1')).toBe(false);
    expect(isKept(fd, undefined)).toBe(false);
  });
});
