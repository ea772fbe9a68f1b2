import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { OPERATIONS } from '@tocsin/contracts';

const REPOSITORY = new URL('../../../', import.meta.url);
const read = (path: string) => readFileSync(fileURLToPath(new URL(path, REPOSITORY)), 'utf8');

/** The services whose every operation is built, and the beginnings of paths where every one is. */
const FINISHED_SERVICES: readonly string[] = [
  'gateway',
  'directory',
  'scheduling',
  'alert-ingest',
  'heartbeat-monitor',
];
const FINISHED_PATHS = /^\/v[12]\/(alerts(?!\/simulate)|attachments|users\/saved-searches|policies|maintenance)/;
const finished = OPERATIONS.filter(({ owner, path }) => FINISHED_SERVICES.includes(owner) || FINISHED_PATHS.test(path));

/** A row of the page: operation, method and path, the test that drives it through the gateway. */
const ROW = /^\| `(?<id>[a-z0-9-]+)` +\| `(?<method>[A-Z]+) (?<path>\S+)` +\| \[[^\]]+\]\(\.\.\/(?<test>\S+)\) +\|$/gm;

const rows = [...read('docs/api.md').matchAll(ROW)].map(({ groups }) => groups ?? {});
const listed = new Map(rows.map((row) => [row['id'], row]));

describe('docs/api.md', () => {
  it('lists each operation once', () => {
    expect(listed.size).toBe(rows.length);
    expect(rows.length).toBeGreaterThan(0);
  });

  it.each(finished.map(({ id }) => [id]))('lists %s', (id) => {
    expect([...listed.keys()]).toContain(id);
  });

  it.each(rows.map((row) => [row['id'] ?? '', row] as const))(
    'names a test that drives %s',
    (id, { method, path, test }) => {
      expect(OPERATIONS.find((operation) => operation.id === id)).toMatchObject({ method, path });
      const titles = [...read(test ?? '').matchAll(/(?:\bit\(|^ {4}\[)\s*['"`](?<title>[^'"`]+)/gm)];
      expect(titles.map(({ groups }) => groups?.['title']).join('\n')).toMatch(
        new RegExp(`(?<![a-z0-9-])${id}(?![a-z0-9-])`),
      );
    },
  );
});
