import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { openApiDocument } from '@tocsin/api/openapi';
import { VERSION } from '@tocsin/service';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const versionIn = (file: string): unknown => (JSON.parse(read(file)) as Readonly<Record<string, unknown>>)['version'];

it('is in the package.json of the root, where the services, the chart, the images and the command line have it from', () => {
  const [, chart] = /^version: (.+)$/m.exec(read('charts/tocsin/Chart.yaml')) ?? [];
  const [, app] = /^appVersion: (.+)$/m.exec(read('charts/tocsin/Chart.yaml')) ?? [];
  const [, image] = /org[.]opencontainers[.]image[.]version="(.+)"/.exec(read('deploy/Dockerfile')) ?? [];
  expect({
    services: VERSION,
    description: openApiDocument(VERSION).info.version,
    commandLine: versionIn('packages/cli/package.json'),
    chart,
    app,
    image,
  }).toEqual(
    Object.fromEntries(
      ['services', 'description', 'commandLine', 'chart', 'app', 'image'].map((place) => [
        place,
        versionIn('package.json'),
      ]),
    ),
  );
});
