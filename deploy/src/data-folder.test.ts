import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { DataFolder } from './data-folder.ts';

let parent: string;
let folder: DataFolder;
beforeEach(() => {
  parent = fs.mkdtempSync(path.join(os.tmpdir(), 'tocsin-data-folder-'));
  folder = new DataFolder(path.join(parent, 'data'));
});
afterEach(() => {
  fs.rmSync(parent, { recursive: true });
});

const modeOf = (file: string): string => (fs.statSync(file).mode & 0o777).toString(8);
const inside = (...names: string[]): string => path.join(folder.path, ...names);

describe('a data folder', () => {
  test('is made for its owner alone', () => {
    folder.open();

    expect(modeOf(folder.path)).toBe('700');
  });

  test('is closed to others where an earlier run left it open, with what it holds', () => {
    for (const name of ['kafka', 'mongo', 'logs']) fs.mkdirSync(inside(name), { recursive: true, mode: 0o755 });
    fs.chmodSync(folder.path, 0o755);
    fs.writeFileSync(inside('secrets.json'), '{"apiKey":"k","signingKey":"s"}', { mode: 0o644 });

    folder.open();
    folder.secrets(undefined);

    for (const name of ['', 'kafka', 'mongo', 'logs']) expect(modeOf(inside(name))).toBe('700');
    expect(modeOf(inside('secrets.json'))).toBe('600');
  });

  test('leaves the mode of a folder alone that holds things of others', () => {
    fs.mkdirSync(inside('kafka'), { recursive: true, mode: 0o755 });
    fs.writeFileSync(inside('letter.txt'), '');
    fs.chmodSync(folder.path, 0o755);

    folder.open();

    expect(modeOf(folder.path)).toBe('755');
    expect(modeOf(inside('kafka'))).toBe('700');
  });

  test('keeps its secrets from one start to the next, and takes a key that is given', () => {
    folder.open();
    const first = folder.secrets(undefined);

    expect(folder.secrets(undefined)).toEqual(first);
    expect(folder.secrets('another key')).toEqual({ ...first, apiKey: 'another key' });
    expect(fs.readdirSync(folder.path)).toEqual(['kafka', 'logs', 'mongo', 'secrets.json']);
  });
});

test('the key of MongoDB is in a file that mongod takes, and goes with the data', () => {
  folder.open();
  const { mongoKey } = folder.secrets(undefined);

  const file = folder.mongoKeyFile(mongoKey);
  expect(fs.readFileSync(file, 'utf8')).toBe(mongoKey);
  expect(modeOf(file)).toBe('600');

  folder.empty();
  expect(fs.existsSync(file)).toBe(false);
});

test('secrets of an earlier start that lack one get it, and keep the others', () => {
  folder.open();
  fs.writeFileSync(inside('secrets.json'), '{"apiKey":"k","signingKey":"s"}');

  const { apiKey, signingKey, mongoKey, vapidPrivateKey } = folder.secrets(undefined);

  expect([apiKey, signingKey]).toEqual(['k', 's']);
  expect(mongoKey).toMatch(/^[0-9a-f]{64}$/);
  expect(Buffer.from(vapidPrivateKey, 'base64url')).toHaveLength(32);
  expect(folder.secrets(undefined)).toEqual({ apiKey, signingKey, mongoKey, vapidPrivateKey });
});

describe('emptying a data folder', () => {
  test('leaves the downloads and whatever is not of Tocsin', () => {
    folder.open();
    folder.secrets(undefined);
    for (const name of ['downloads', 'letters']) fs.mkdirSync(inside(name));
    fs.writeFileSync(inside('kafka', 'log'), '');

    folder.empty();

    expect(fs.readdirSync(folder.path)).toEqual(['downloads', 'letters']);
  });

  test('follows no link out of it', () => {
    folder.open();
    const outside = path.join(parent, 'outside');
    fs.mkdirSync(outside);
    fs.writeFileSync(path.join(outside, 'kept'), '');
    fs.rmdirSync(inside('mongo'));
    fs.symlinkSync(outside, inside('mongo'));
    fs.symlinkSync(outside, inside('kafka', 'logs'));

    folder.empty();

    expect(fs.readdirSync(folder.path)).toEqual([]);
    expect(fs.readdirSync(outside)).toEqual(['kept']);
  });

  test('does nothing where there is none', () => {
    expect(() => {
      folder.empty();
    }).not.toThrow();
  });
});
