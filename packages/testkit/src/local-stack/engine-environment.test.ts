import { afterEach, describe, expect, test } from '@jest/globals';
import { engineEnvironment } from './engine-environment.ts';

afterEach(() => {
  delete process.env['BOOTSTRAP_API_KEY'];
});

describe('the environment of an engine', () => {
  test('holds what programs need to run, and none of our secrets', () => {
    process.env['BOOTSTRAP_API_KEY'] = 'the key';

    const environment = engineEnvironment({ MALLOC_ARENA_MAX: '2' });

    expect(environment).toMatchObject({ PATH: process.env['PATH'], MALLOC_ARENA_MAX: '2' });
    expect(Object.values(environment)).not.toContain('the key');
  });
});
