import { describe, expect, it } from '@jest/globals';
import { OPERATIONS, type Resource, RESOURCES } from '@tocsin/api';
import prettier from 'prettier';
import { apiReference } from './api-reference.ts';

const page = apiReference(RESOURCES);

/** The section of the first resource of that title. */
const sectionOf = (title: string): string => page.split(/^## /m).find((each) => each.startsWith(`${title}\n`)) ?? '';

const rowsOf = (section: string, cell: string): readonly string[] =>
  section.split('\n').filter((line) => line.startsWith('| ') && line.includes(cell));

/** A resource with two operations that differ in their method and what `other` says. */
function resourceWith(description: string, other: Partial<Resource['operations'][string]>): Resource {
  const one = {
    method: 'POST',
    path: '/v2/bells/{id}/ring',
    right: 'write',
    domain: 'alert',
    owner: 'alert-ingest',
    summary: 'Rings a bell',
    description,
    success: { mediaType: 'text/plain', description: 'A sound.' },
  } as const;
  return { title: 'Bells', rules: {}, operations: { one, two: { ...one, method: 'PUT', ...other } } };
}

describe('the API reference', () => {
  it('has each operation under its resource, with its right, limits and refusals', () => {
    for (const { method, path, summary } of OPERATIONS) {
      const rows = rowsOf(page, ` ${path}\` `).filter((row) => row.includes(`${summary}.`));
      expect([path, method, rows.some((row) => row.split('`')[1]?.includes(method))]).toEqual([path, method, true]);
    }
    const [row = ''] = rowsOf(sectionOf('Teams'), '`DELETE /v2/teams/{identifier}`');
    expect(row.split('|').map((cell) => cell.trim())).toEqual(
      expect.arrayContaining(['write-configuration', 'refused', 'configuration', '16 KiB', '404, 428']),
    );
  });

  it('has the limits, values and defaults of fields', () => {
    expect(rowsOf(sectionOf('Heartbeats'), '`interval`')).toEqual([expect.stringContaining('1 to 100 000')]);
    expect(rowsOf(sectionOf('Escalations'), '`rules[].condition`')).toEqual([
      expect.stringContaining('`if-not-acked`, `if-not-closed`'),
    ]);
    expect(rowsOf(sectionOf('Users'), '`?limit`')).toEqual([expect.stringContaining('1 to 500, default `100`')]);
  });

  it('has the rules of each resource by their codes', () => {
    for (const { title, rules } of RESOURCES)
      for (const [code, points] of Object.entries(rules)) {
        expect(sectionOf(title)).toContain(`\n- **${code}** ${points[0]}\n`);
        for (const point of points.slice(1)) expect(sectionOf(title)).toContain(`\n  - ${point}\n`);
      }
  });

  it('gives operations that differ in their method only one row', () => {
    expect(apiReference([resourceWith('', {})])).toContain('| `POST, PUT /v2/bells/{id}/ring` |');
    const differing = apiReference([resourceWith('', { right: 'read' })]);
    expect(differing).toContain('| `POST /v2/bells/{id}/ring` |');
    expect(differing).toContain('| `PUT /v2/bells/{id}/ring`  |');
  });

  it('says once what all operations of a resource say at their end', () => {
    const shared = apiReference([resourceWith('Loudly. It is logged.', { description: 'Softly. It is logged.' })]);
    expect(shared.match(/It is logged[.]/g)).toHaveLength(1);
    expect(shared).toContain('Of each operation: It is logged.\n');
    expect(shared).toContain('Rings a bell. Loudly. |');
  });

  it('is formatted as prettier would', async () => {
    expect(await prettier.check(page, { parser: 'markdown', printWidth: 120, singleQuote: true })).toBe(true);
  });
});
