import fs from 'node:fs';
import { expect, test } from '@jest/globals';
import { chartReadme as readmeOf, describedSchema, withoutDescription, type Schema } from './chart-values.ts';

const VALUES = `# About all of them.

# What listens.
server:
  # -- Where. The
  # first free one, unless set.
  port: 3000
  # By any name.
  host: ''
  limits:
    # -- Most of them | at a time.
    connections: 10
# -- Labels.
labels: { a: b }
# -- How it is asked
probe:
  path: /
  period: 2
`;

const SCHEMA: Schema = {
  properties: {
    server: {
      type: 'object',
      properties: {
        port: { type: ['integer', 'null'] },
        host: { enum: ['', '::'] },
        limits: { $ref: '#/definitions/limits' },
      },
    },
    labels: { type: 'object' },
    probe: { type: 'object' },
  },
  definitions: { limits: { type: 'object', properties: { connections: { type: 'integer' } } } },
};
const chartReadme = (values: string): string => readmeOf(values, SCHEMA);

test('each value has a row with its type, its default and what its marked comment says', () => {
  const page = chartReadme(VALUES);
  expect(page).toContain('| `server.port` | integer or null | `3000` | Where. The first free one, unless set. |');
  expect(page).toContain('| `server.limits.connections` | integer | `10` | Most of them \\| at a time. |');
  expect(page).toContain('| `server.host` | "" or "::" |  | By any name. |');
});

test('a comment without a mark begins the section of a value, and only the block beside it', () => {
  expect(chartReadme(VALUES)).toContain('\n## `server`\n\nWhat listens.\n\n| value |');
  expect(chartReadme(VALUES)).not.toContain('About all of them.');
});

test('a map of which nothing is said part by part is one row', () => {
  expect(chartReadme(VALUES)).toContain('| `labels` | object | `{"a":"b"}` | Labels. |');
  expect(chartReadme(VALUES)).toContain('| `probe` | object | `{"path":"/","period":2}` | How it is asked |');
});

test('the schema says of each property what its comment says, in definitions too', () => {
  const { properties, definitions } = describedSchema(VALUES, SCHEMA);
  expect(properties?.['server']?.properties?.['port']?.description).toBe('Where. The first free one, unless set.');
  expect(definitions?.['limits']?.properties?.['connections']?.description).toBe('Most of them | at a time.');
});

test('of the chart every property of the schema and every row of the README say what they are', () => {
  const read = (file: string): string =>
    fs.readFileSync(new URL(`../../charts/tocsin/${file}`, import.meta.url), 'utf8');
  const schema = JSON.parse(read('values.schema.json')) as Schema;
  expect(withoutDescription(schema)).toEqual([]);
  const rows = readmeOf(read('values.yaml'), schema).match(/^\| `.*$/gm) ?? [];
  expect(rows.length).toBeGreaterThan(200);
  expect(rows.filter((row) => !/^\| `[^`]+` \| [^|]\S.* \| .* \| \S.* \|$/.test(row))).toEqual([]);
});
