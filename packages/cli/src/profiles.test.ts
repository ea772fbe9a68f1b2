import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { profileFile } from './profiles.ts';
import { Person, ScriptedApi } from './testing/command-fixture.ts';

let person: Person;
beforeEach(() => {
  person = new Person();
});
afterEach(() => {
  person.leave();
});

const URL = 'https://tocsin.example.com';
const add = (name: string, key = 'secret-key-of-it', url = URL) =>
  person.feeds(`${key}\n`, 'profile', 'add', name, '--url', url);
const modeOf = (file: string) => (fs.statSync(file).mode & 0o777).toString(8);

describe('tocsin profile', () => {
  it('add keeps the key in a file and a folder that no other user can read', async () => {
    expect(await add('home')).toEqual({ code: 0, stdout: `Added home (${URL})\n`, stderr: '' });
    expect([modeOf(person.profileFile), modeOf(path.dirname(person.profileFile))]).toEqual(['600', '700']);
    const held: unknown = JSON.parse(fs.readFileSync(person.profileFile, 'utf8'));
    expect(held).toEqual({ current: 'home', profiles: { home: { url: URL, key: 'secret-key-of-it' } } });
    expect(fs.readdirSync(path.dirname(person.profileFile))).toEqual(['config.json']);
  });

  it('list shows of a key its end alone, also as JSON', async () => {
    await add('home');
    await add('work', 'another-key-1234', `${URL}/on-call/`);
    const { stdout } = await person.types('profile', 'list');
    expect(stdout.split('\n')).toEqual([
      '   NAME  URL                                 KEY',
      '*  home  https://tocsin.example.com          …f-it',
      '   work  https://tocsin.example.com/on-call  …1234',
      '',
    ]);
    const listed = await person.types('profile', 'list', '--json');
    expect(listed.stdout).not.toContain('another-key');
    expect(JSON.parse(listed.stdout)).toContainEqual({
      ...{ name: 'work', url: `${URL}/on-call`, keyEnd: '1234', current: false },
    });
  });

  it('use chooses, add replaces, remove forgets; without the current one, none is current', async () => {
    await add('home');
    await add('work', 'old');
    await person.types('profile', 'use', 'work');
    expect((await add('work', 'new')).stdout).toContain('Replaced work');
    const { profiles, current } = JSON.parse(fs.readFileSync(person.profileFile, 'utf8')) as Record<string, object>;
    expect([current, profiles]).toMatchObject(['work', { work: { key: 'new' } }]);
    await person.types('profile', 'remove', 'work');
    const { code, stderr } = await person.types('who');
    expect([code, stderr]).toEqual([2, expect.stringContaining('No installation is named.')]);
    for (const verb of ['use', 'remove']) {
      const refused = await person.types('profile', verb, 'work');
      expect([refused.code, refused.stderr]).toEqual([2, 'tocsin: There is no profile [work].\n  There are: home\n']);
    }
  });

  it.each([
    ['an URL of another kind', ['profile', 'add', 'x', '--url', 'ftp://example.com'], 'key'],
    ['an URL with a password', ['profile', 'add', 'x', '--url', 'https://a:b@example.com'], 'key'],
    ['no key', ['profile', 'add', 'x', '--url', URL], ''],
    ['a key with a space in it', ['profile', 'add', 'x', '--url', URL], 'two words'],
  ])('add refuses %s, and writes nothing', async (_case, args, key) => {
    expect((await person.feeds(key, ...args)).code).toBe(2);
    expect(fs.existsSync(person.profileFile)).toBe(false);
  });

  it('a file that is not JSON is refused without a word of what is in it', async () => {
    await add('home');
    fs.writeFileSync(person.profileFile, '{ "profiles": { "home": { "key": secret-key-of-it } } }');
    const { code, stdout, stderr } = await person.types('profile', 'list');
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining('does not hold profiles')]);
    expect(stderr).not.toContain('secret');
  });

  it('add warns of a key that could be read on the way', async () => {
    expect((await add('far', 'key', 'http://tocsin.example.com')).stderr).toContain('without https');
    expect((await add('near', 'key', 'http://localhost:8080')).stderr).toBe('');
  });

  it.each([0o644, 0o640, 0o660, 0o604])(
    'a file of mode %o is refused, with the command that mends it',
    async (mode) => {
      await add('home');
      fs.chmodSync(person.profileFile, mode);
      for (const args of [['who'], ['profile', 'list'], ['profile', 'use', 'home']]) {
        const { code, stdout, stderr } = await person.types(...args);
        expect([code, stdout]).toEqual([2, '']);
        expect(stderr).toContain(`chmod 600 '${person.profileFile}'`);
        expect(stderr).not.toContain('secret-key');
      }
    },
  );

  it.each(['{', '[]', '{"profiles":{"home":{"url":1,"key":"k"}}}'])('a file that says %s is refused', async (text) => {
    fs.mkdirSync(path.dirname(person.profileFile), { recursive: true });
    fs.writeFileSync(person.profileFile, text, { mode: 0o600 });
    expect((await person.types('who')).code).toBe(2);
    expect((await add('home')).code).toBe(2);
    expect(fs.readFileSync(person.profileFile, 'utf8')).toBe(text);
  });

  it('a file behind a link stays behind it', async () => {
    const real = path.join(person.home, 'real.json');
    person.env = { TOCSIN_CONFIG: path.join(person.home, 'link.json') };
    fs.writeFileSync(real, '{"profiles":{}}', { mode: 0o600 });
    fs.symlinkSync(real, path.join(person.home, 'link.json'));
    await add('home');
    expect(fs.readFileSync(real, 'utf8')).toContain('"home"');
    expect(fs.lstatSync(path.join(person.home, 'link.json')).isSymbolicLink()).toBe(true);
  });
});

describe('where the profiles are', () => {
  it.each([
    [{}, '/home/ada/.config/tocsin/config.json'],
    [{ XDG_CONFIG_HOME: '/etc/ada' }, '/etc/ada/tocsin/config.json'],
    [{ XDG_CONFIG_HOME: 'relative' }, '/home/ada/.config/tocsin/config.json'],
    [{ XDG_CONFIG_HOME: '/etc/ada', TOCSIN_CONFIG: '/run/key.json' }, '/run/key.json'],
  ])('with %j: %s', (env, file) => {
    expect(profileFile(env, '/home/ada')).toBe(file);
  });
});

describe('whom a command asks', () => {
  let api: ScriptedApi;
  let url: string;
  beforeEach(async () => {
    api = new ScriptedApi({});
    url = await api.start();
    await add('home', 'key-of-home', url);
  });
  afterEach(() => {
    api.stop();
  });
  const keys = () => api.received.map(({ authorization }) => authorization);

  it('the current profile, or the one that is named even against the environment', async () => {
    await person.types('who');
    person.env = { TOCSIN_URL: 'http://127.0.0.1:9', TOCSIN_KEY: 'other' };
    await person.types('who', '--profile', 'home');
    expect(keys()).toEqual(['GenieKey key-of-home', 'GenieKey key-of-home']);
  });

  it('the environment before the current profile, whose URL it may keep', async () => {
    person.env = { TOCSIN_KEY: ' other \n' };
    await person.types('who');
    person.env = { TOCSIN_KEY: 'third', TOCSIN_URL: `${url}/` };
    await person.types('who');
    expect(keys()).toEqual(['GenieKey other', 'GenieKey third']);
  });

  it('never sends the key of a profile to a URL of the environment', async () => {
    person.env = { TOCSIN_URL: url };
    const { code, stderr } = await person.types('who');
    expect([code, stderr]).toEqual([2, expect.stringContaining('TOCSIN_KEY is not')]);
    expect(api.received).toEqual([]);
  });
});
