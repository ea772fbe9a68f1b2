import fs from 'node:fs';
import { describe, expect, test } from '@jest/globals';

interface Least {
  /** Series -> its lowest version that may be used. */
  readonly least: Readonly<Record<string, string>>;
  readonly why: readonly string[];
  /** Files that start it, each without compression of messages. */
  readonly withoutCompression?: readonly string[];
}

const ROOT = new URL('../../../', import.meta.url);
const read = (file: string): string => fs.readFileSync(new URL(file, ROOT), 'utf8');
const { about, ...entries } = JSON.parse(read('deploy/least-versions.json')) as Readonly<Record<string, unknown>>;
const LEAST = entries as Readonly<Record<string, Least>>;

/** The files that name engines and images: sources, values, recipes and how-tos. */
const PLACES = ['deploy', 'charts', 'docs/how-to', 'test/e2e', 'packages/testkit', '.ci'];
const SKIPPED = /(?:^|[/])(?:node_modules|dist|least-versions[.]\w+)|\.test\.ts$/;

const files = PLACES.flatMap((place) =>
  fs
    .readdirSync(new URL(place, ROOT), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => `${parentPath}/${name}`.slice(ROOT.pathname.length)),
).filter((file) => !SKIPPED.test(file));

const NAMES = Object.keys(LEAST).map((name) => name.replace('local/', ''));
const NAMED = new RegExp(
  `(?<![\\w/.])((?:\\w[\\w.-]*/)?(?:${[...new Set(NAMES)].join('|').replaceAll('/', '\\/')})):(?:v?(\\d+(?:\\.\\d+)+)|(\\d+)(?![\\w.]))`,
  'g',
);

/** An image with its version, as a file names it. */
const named = files.flatMap((file) =>
  [...read(file).matchAll(NAMED)].flatMap(([, image = '', release, series]) => {
    const version = release ?? series ?? '';
    return isPort(version) ? [] : [{ file, image, version }];
  }),
);

/** `kafka:9092` is an address. */
function isPort(version: string): boolean {
  return /^\d{4,5}$/.test(version);
}

/** `mongo:6.0.5` of the recipes is the image that is made here. */
const entryOf = (image: string, version: string): Least | undefined => {
  const series = version.split('.')[0] ?? '';
  const names = [image, `local/${image.split('/').at(-1) ?? ''}`];
  return names.map((name) => LEAST[name]).find((entry) => entry?.least[series] !== undefined);
};

const atLeast = (version: string, least: string): boolean => {
  const [one, other] = [version, least].map((each) => each.split('.').map(Number));
  for (const [index, part] of (other ?? []).entries()) {
    const difference = (one?.[index] ?? 0) - part;
    if (difference !== 0) return difference > 0;
  }
  return true;
};

describe('the least versions', () => {
  test('say why', () => {
    expect(about).toMatch(/digest/);
    for (const { why } of Object.values(LEAST)) expect(why.join('')).not.toBe('');
  });

  test('are those of every image that a file names', () => {
    expect(named.map(({ file }) => file)).toEqual(
      expect.arrayContaining(['deploy/compose.yaml', 'charts/tocsin/values.yaml', 'test/e2e/src/stack/images.ts']),
    );
    const tooOld = named.filter(({ image, version }) => {
      const least = entryOf(image, version)?.least[version.split('.')[0] ?? ''];
      return least === undefined || !atLeast(version, least);
    });
    expect(tooOld).toEqual([]);
  });

  test('are those of every image of compose and of the chart: none comes from somewhere else', () => {
    const images = [...read('deploy/compose.yaml').matchAll(/_IMAGE:-([^}:]+)/g)].map(([, image = '']) => image);
    const inChart = [...read('charts/tocsin/values.yaml').matchAll(/^ +image: ([\w./-]+):/gm)].map(
      ([, image = '']) => image,
    );
    expect(images.length).toBeGreaterThan(3);
    expect([...images, ...inChart].filter((image) => !image.startsWith('$') && LEAST[image] === undefined)).toEqual([]);
  });

  test('leave a mongod that is too old without compression wherever it starts', () => {
    const places = Object.values(LEAST).flatMap(({ withoutCompression = [] }) => withoutCompression);
    expect(places).toHaveLength(2);
    for (const place of places) expect(read(place)).toMatch(/--networkMessageCompressors\b.*\bdisabled/s);
  });

  test('are compared part by part', () => {
    expect(['7.0.32', '7.0.33', '7.1', '7.0.32.1'].filter((version) => !atLeast(version, '7.0.32'))).toEqual([]);
    expect(['7.0.14', '7.0', '6.9.99'].filter((version) => atLeast(version, '7.0.32'))).toEqual([]);
  });
});
