import fs from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { flagsOf, SERVICES } from '../service-plan.ts';

const read = (file: string): string => fs.readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
/** Its instructions, each in one line. */
const instructions = read('Dockerfile')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll('\\\n', ' ')
  .split('\n')
  .filter((line) => line !== '');

describe('the Dockerfile', () => {
  test.each(SERVICES)('starts %s with the flags that npm start gives it, without those for sources', (service) => {
    const command = ['node', ...flagsOf(service).filter((flag) => flag !== '--conditions=source'), 'dist/main.js'];
    expect(entryPointOf(service)).toEqual(command);
  });

  test('starts and checks services without a shell, and runs nothing on the base of the image', () => {
    const final = instructions.slice(instructions.indexOf('FROM ${NODE_IMAGE} AS runtime'));
    expect(final.filter((line) => line.startsWith('RUN'))).toEqual([]);
    expect(final.filter((line) => /^(ENTRYPOINT|CMD|HEALTHCHECK.* CMD) (?!\[)/.test(line))).toEqual([]);
  });

  test('has nothing that only one of the builders of Docker knows', () => {
    expect(instructions.filter((line) => /^RUN --|^COPY --(?!from)|<</.test(line))).toEqual([]);
  });
});

describe('docker buildx bake', () => {
  const bake = read('docker-bake.hcl');

  test('builds every service', () => {
    expect(quoted(/ service = \[([^\]]*)\]/)).toEqual(SERVICES);
  });

  test('builds for amd64 and arm64', () => {
    expect(quoted(/platforms\s*= \[([^\]]*)\]/)).toEqual(['linux/amd64', 'linux/arm64']);
  });

  test('gives arguments that the Dockerfile takes, and all of them', () => {
    const [, args = ''] = /args = \{([^}]*)\}/.exec(bake) ?? [];
    const given = [...args.matchAll(/^\s*([A-Z_]+)\s*=/gm)].map(([, name]) => name);
    const taken = instructions.flatMap((line) => /^ARG ([A-Z_]+)/.exec(line)?.[1] ?? []);
    expect(new Set(given)).toEqual(new Set(taken));
  });

  function quoted(list: RegExp): readonly string[] {
    return [...(list.exec(bake)?.[1] ?? '').matchAll(/"([^"]+)"/g)].map(([, word]) => word ?? '');
  }
});

/** The value of the stage, otherwise of its base stage. */
function entryPointOf(stage: string): unknown {
  const begin = instructions.findIndex((line) => line.startsWith('FROM ') && line.endsWith(` AS ${stage}`));
  if (begin < 0) throw new Error(`There is no stage ${stage}.`);
  const length = instructions.slice(begin + 1).findIndex((line) => line.startsWith('FROM '));
  const own = instructions.slice(begin, begin + 1 + length).find((line) => line.startsWith('ENTRYPOINT '));
  if (own !== undefined) return JSON.parse(own.slice('ENTRYPOINT '.length));
  return entryPointOf(instructions[begin]?.split(' ')[1] ?? '');
}
