import { expect, test } from '@jest/globals';
import { chartReadme } from './chart-values.ts';

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

test('each value has a row with its default and what its marked comment says', () => {
  const page = chartReadme(VALUES);
  expect(page).toContain('| `server.port` | `3000` | Where. The first free one, unless set. |');
  expect(page).toContain('| `server.limits.connections` | `10` | Most of them \\| at a time. |');
  expect(page).toContain('| `server.host` |  | By any name. |');
});

test('a comment without a mark begins the section of a value, and only the block beside it', () => {
  expect(chartReadme(VALUES)).toContain('\n## `server`\n\nWhat listens.\n\n| value |');
  expect(chartReadme(VALUES)).not.toContain('About all of them.');
});

test('a map of which nothing is said part by part is one row', () => {
  expect(chartReadme(VALUES)).toContain('| `labels` | `{"a":"b"}` | Labels. |');
  expect(chartReadme(VALUES)).toContain('| `probe` | `{"path":"/","period":2}` | How it is asked |');
});
