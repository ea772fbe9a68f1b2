import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { SERVICES } from '@tocsin/events';
import { eventually } from '@tocsin/testkit';
import { imagesOf } from '../stack/images.ts';
import { RUN_LABEL } from '../stack/planned-container.ts';

const MAX_BYTES = 250e6;
/** As a restricted namespace of a cluster runs it. */
const CONFINED = ['--read-only', '--tmpfs=/tmp', '--cap-drop=ALL', '--security-opt=no-new-privileges', '--memory=256m'];
/** Nothing listens there. */
const UNAVAILABLE = {
  KAFKA_BROKERS: '127.0.0.1:9',
  MONGODB_URI: 'mongodb://127.0.0.1:9/?replicaSet=rs0',
  INTERNAL_SIGNING_KEY: 'a signing key of end-to-end tests of 32 characters or more',
};

/** Says, in the image, what is in it. */
const LOOK = `
  const files = require('fs').globSync('/app/**', { withFileTypes: true }).filter((entry) => entry.isFile());
  console.log(JSON.stringify({
    user: process.getuid(),
    files: files.map((entry) => entry.parentPath + '/' + entry.name),
    bom: require('/app/sbom.cdx.json').components.map(({ name, version }) => name + '@' + version),
  }));
`;

const { version } = JSON.parse(fs.readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8')) as {
  readonly version: string;
};

interface Contents {
  readonly user: number;
  readonly files: readonly string[];
  readonly bom: readonly string[];
}

interface Inspected {
  readonly Size: number;
  readonly Config: {
    readonly User: string;
    readonly Entrypoint: readonly string[];
    readonly Labels: Readonly<Record<string, string>>;
  };
}

describe.each(SERVICES)('the image of %s', (service) => {
  const image = imagesOf(process.env).of(service);

  it('is smaller than 250 MB, and says what it is', async () => {
    const [inspected] = JSON.parse((await docker('image', 'inspect', image)).output) as [Inspected];
    expect(inspected.Size).toBeLessThan(MAX_BYTES);
    expect(inspected.Config.Labels).toMatchObject({
      'org.opencontainers.image.title': `tocsin-${service}`,
      'org.opencontainers.image.licenses': 'Apache-2.0',
      'org.opencontainers.image.version': version,
      'org.opencontainers.image.revision': expect.stringMatching(/./),
    });
  });

  it('holds what runs: no sources, no types, no tests, nothing that develops it', async () => {
    const { files, bom } = await contentsOf(image);
    const own = files.filter((file) => !file.startsWith('/app/node_modules/'));
    expect(files).toContain(`/app/services/${service}/dist/main.js`);
    expect(files.filter((file) => /\.([cm]?ts|map)$/.test(file))).toEqual([]);
    expect(own.filter((file) => /\.(test|contract)\.|\/testing\/|\/src\//.test(file))).toEqual([]);
    expect(bom.filter((name) => /^(typescript|jest|turbo|eslint|fast-check|@tocsin\/testing)@/.test(name))).toEqual([]);
  });

  it('has the packages of this repository in the one version', async () => {
    const { bom } = await contentsOf(image);
    expect(bom.filter((name) => name.startsWith('@tocsin/') && !name.endsWith(`@${version}`))).toEqual([]);
    expect(bom).toContain(`@tocsin/${service}@${version}`);
  });

  it('names everything that it holds, with Node itself', async () => {
    const { files, bom } = await contentsOf(image);
    const installed = files.flatMap(
      (file) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\/package\.json$/.exec(file)?.[1] ?? [],
    );
    const listed = new Set(bom.map((name) => name.slice(0, name.lastIndexOf('@'))));
    expect(installed).toContain('express');
    expect(installed.filter((name) => !listed.has(name))).toEqual([]);
    expect(bom).toContainEqual(expect.stringMatching(/^node@24\./));
  });

  it('runs as user 1000, by Node without a shell', async () => {
    const [{ Config: config }] = JSON.parse((await docker('image', 'inspect', image)).output) as [Inspected];
    expect(config.User).toBe('1000:1000');
    expect(config.Entrypoint[0]).toBe('node');
    expect(await contentsOf(image)).toMatchObject({ user: 1_000 });
  });

  it('ends with every setting named that it misses, where it can write nothing but /tmp', async () => {
    const { code, output } = await docker('run', '--rm', ...CONFINED, image);
    expect(code).toBe(1);
    for (const name of Object.keys(UNAVAILABLE)) expect(output).toContain(`${name}: is needed`);
  });
});

describe('the image of gateway', () => {
  it('holds the console, and names its libraries', async () => {
    const { bom, files } = await contentsOf(imagesOf(process.env).of('gateway'));
    expect(files).toContain('/app/console/index.html');
    expect(files).toContainEqual(expect.stringMatching(/^\/app\/console\/assets\/.*\.js\.br$/));
    expect(bom).toContainEqual(expect.stringMatching(/^react-dom@/));
    expect(new Set(bom).size).toBe(bom.length);
  });
});

describe('a container of a service', () => {
  it('is alive while its engines are unavailable, and ends in order on SIGTERM', async () => {
    const name = `tocsin-e2e-alive-${process.pid}`;
    const settings = Object.entries(UNAVAILABLE).map(([variable, value]) => `--env=${variable}=${value}`);
    const label = `--label=${RUN_LABEL}=${process.env['E2E_RUN'] ?? name}`;
    const image = imagesOf(process.env).of('alert-ingest');
    await docker('run', '--detach', `--name=${name}`, label, ...CONFINED, '--health-interval=1s', ...settings, image);
    try {
      await eventually(
        async () => {
          const { output } = await docker('inspect', '--format', '{{.State.Health.Status}}', name);
          if (output.trim() !== 'healthy') throw new Error(`${output}${(await docker('logs', name)).output}`);
        },
        { everyMs: 500 },
      );
      await docker('stop', '--time=30', name);
      const { output } = await docker('inspect', '--format', '{{.State.ExitCode}} {{.State.OOMKilled}}', name);
      expect(output.trim()).toBe('0 false');
    } finally {
      await docker('rm', '--force', '--volumes', name);
    }
  });
});

async function contentsOf(image: string): Promise<Contents> {
  const { output } = await docker('run', '--rm', ...CONFINED, '--entrypoint=node', image, '--eval', LOOK);
  return JSON.parse(output) as Contents;
}

/** The output of the command on both streams; a failed command is not an error here. */
async function docker(...args: readonly string[]): Promise<{ readonly code: number; readonly output: string }> {
  try {
    const { stdout, stderr } = await promisify(execFile)('docker', args, { maxBuffer: 2 ** 26 });
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as {
      readonly code?: number;
      readonly stdout: string;
      readonly stderr: string;
    };
    return { code: code ?? -1, output: `${stdout}${stderr}` };
  }
}
