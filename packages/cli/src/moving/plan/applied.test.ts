import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AppliedFile, idsInTocsin } from './applied.ts';

const URL = 'https://tocsin.example.com';
let folder: string;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tocsin-applied-'));
});
afterEach(() => {
  fs.rmSync(folder, { recursive: true, force: true });
});

describe('the ids in Tocsin of the things of a snapshot', () => {
  it('are those of the things that were adopted last, and else those of the account', () => {
    const file = new AppliedFile(folder, URL);
    file.answered({ kind: 'users', id: 'grace' }, {});
    file.adopt('ada', 'another-ada');
    file.adopt('ada', 'our-ada');
    file.close();
    expect(['ada', 'grace', 'linus'].map(idsInTocsin(folder, URL))).toEqual(['our-ada', 'grace', 'linus']);
  });

  it('are not known where nothing was applied to that Tocsin', () => {
    new AppliedFile(folder, URL).close();
    expect(() => idsInTocsin(folder, 'https://other.example.com')).toThrow(
      `Nothing of the snapshot in ${folder} was applied to https://other.example.com.`,
    );
  });
});
