import { describe, expect, test } from '@jest/globals';
import { dockerTrouble } from './docker-trouble.ts';

const answered = (output: string) => ({ ok: true, output });
const failed = (output: string) => ({ ok: false, output });

/** What is wrong where the engine and Compose answer so. */
function trouble(engine = answered('28.5.1'), compose = answered('2.40.3')): Promise<string | undefined> {
  return dockerTrouble((first) => Promise.resolve(first === 'version' ? engine : compose));
}

describe('dockerTrouble', () => {
  test.each(['2.40.3', 'v2.3.0', '2.39.1-desktop.1', '5.0.0'])(
    'is none with an engine and Compose %s',
    async (version) => {
      expect(await trouble(undefined, answered(version))).toBeUndefined();
    },
  );

  test('says that Docker is not installed', async () => {
    const missing = failed('spawn docker ENOENT');

    expect(await trouble(missing, missing)).toBe('docker is not installed.');
  });

  test('repeats what the client says of an engine that is away', async () => {
    const away = failed('Client: 28\nCannot connect to the Docker daemon at unix:///var/run/docker.sock.');

    expect(await trouble(away)).toMatch(/no Docker engine answers.*Cannot connect to the Docker daemon/);
  });

  test.each([failed('docker: unknown command: docker compose'), answered('1.29.2')])(
    'names the plugin to install when Compose is missing or too old: %j',
    async (compose) => {
      expect(await trouble(undefined, compose)).toContain('docker-compose-plugin');
    },
  );
});
