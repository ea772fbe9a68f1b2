import fs from 'node:fs';
import { expect, test } from '@jest/globals';

const read = (file: string): string => fs.readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');

/** Every file that names a third-party image by default. */
const FILES = [
  'deploy/compose.yaml',
  'charts/tocsin/values.yaml',
  'test/e2e/src/stack/images.ts',
  'docs/how-to/run-the-end-to-end-tests.md',
];

test.each([
  ['apache/kafka', 4],
  ['mongo', 4],
  ['prom/prometheus', 3],
])('%s has one release, wherever it is named', (image, places) => {
  const named = FILES.flatMap((file) => {
    const [found] = new RegExp(`(?<![\\w/])${image}:v?\\d+\\.[\\w.-]+`).exec(read(file)) ?? [];
    return found ?? [];
  });
  expect(named).toHaveLength(places);
  expect(new Set(named).size).toBe(1);
});
