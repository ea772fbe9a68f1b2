import { describe, expect, test } from '@jest/globals';
import { chooseWay, type WayFacts } from './choose-way.ts';

const LACK = 'Java 17 is missing.';
const TROUBLE = 'docker is not installed.';
const nothing = (): Promise<undefined> => Promise.resolve(undefined);
const MACHINE: WayFacts = {
  asked: undefined,
  keptBy: undefined,
  ownEngines: false,
  lackHere: nothing,
  dockerTrouble: nothing,
};
const withoutJava = { lackHere: () => Promise.resolve(LACK) };
const withoutDocker = { dockerTrouble: () => Promise.resolve(TROUBLE) };

describe('chooseWay', () => {
  test('runs here where nothing is missing, and never asks Docker', async () => {
    const dockerTrouble = () => Promise.reject(new Error('asked'));

    expect(await chooseWay({ ...MACHINE, dockerTrouble })).toEqual({ way: 'here' });
  });

  test('takes Docker where a part is missing and an engine answers, and says which part', async () => {
    expect(await chooseWay({ ...MACHINE, ...withoutJava })).toEqual({
      way: 'docker',
      because: expect.stringContaining(LACK),
    });
  });

  test('names what is missing for both ways where neither can be gone', async () => {
    await expect(chooseWay({ ...MACHINE, ...withoutJava, ...withoutDocker })).rejects.toThrow(
      /Java 17 is missing[^]*npm start -- --docker[^]*docker is not installed/,
    );
  });

  test('does what was asked for, whatever is missing or kept', async () => {
    expect(await chooseWay({ ...MACHINE, ...withoutJava, keptBy: 'docker', asked: 'here' })).toEqual({ way: 'here' });
    expect(await chooseWay({ ...MACHINE, keptBy: 'here', asked: 'docker' })).toEqual({ way: 'docker' });
  });

  test('says why Docker cannot be used where it was asked for', async () => {
    await expect(chooseWay({ ...MACHINE, ...withoutDocker, asked: 'docker' })).rejects.toThrow(TROUBLE);
  });

  test('goes on with the data that is there: of this machine even where a part went missing, of Docker even where none is', async () => {
    expect(await chooseWay({ ...MACHINE, ...withoutJava, keptBy: 'here' })).toEqual({ way: 'here' });
    expect(await chooseWay({ ...MACHINE, keptBy: 'docker' })).toEqual({
      way: 'docker',
      because: expect.stringContaining('npm start -- --no-docker'),
    });
  });

  test('does not start empty where Docker keeps the data and is away', async () => {
    await expect(chooseWay({ ...MACHINE, ...withoutDocker, keptBy: 'docker' })).rejects.toThrow(
      /kept by Docker[^]*docker is not installed/,
    );
  });

  test('runs here with engines of the person, which containers do not use', async () => {
    expect(await chooseWay({ ...MACHINE, ...withoutJava, keptBy: 'docker', ownEngines: true })).toEqual({
      way: 'here',
    });
  });
});
