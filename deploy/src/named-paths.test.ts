import { describe, expect, test } from '@jest/globals';
import { headingIdsOf, headingLinksIn, pathsNamedIn } from './named-paths.ts';

describe('pathsNamedIn', () => {
  test('finds the folders and files in code spans', () => {
    expect(pathsNamedIn('See `packages/http/src/route.ts` and `services/gateway/`.')).toEqual([
      'packages/http/src/route.ts',
      'services/gateway/',
    ]);
  });

  test('finds the targets of relative links, without their fragment', () => {
    expect(pathsNamedIn('[a](docs/architecture.md#2) [b](../glossary.md) [c](adding-a-route.md)')).toEqual([
      'docs/architecture.md',
      '../glossary.md',
      'adding-a-route.md',
    ]);
  });

  test.each([
    '`/v2/alerts/{id}`',
    '`npm run check`',
    '`services/<name>/src`',
    '`packages/*/src`',
    '`test:integration`',
    '`http/protobuf`',
    '`deploy/.env`',
    '`test/e2e/reports/e2e.json`',
    '[site](https://example.com/docs/a.md)',
    '[below](#tests)',
    '```sh\ncat packages/nowhere/src/a.ts `packages/nowhere`\n```',
  ])('takes %j for no path', (markdown) => {
    expect(pathsNamedIn(markdown)).toEqual([]);
  });

  test('names each path once', () => {
    expect(pathsNamedIn('`docs/a.md` `docs/a.md`')).toEqual(['docs/a.md']);
  });
});

describe('headingLinksIn', () => {
  test('finds links to headings of this and of other documents', () => {
    expect(headingLinksIn('[a](#the-start) [b](../glossary.md#alerts) [c](glossary.md)')).toEqual([
      { document: '', id: 'the-start' },
      { document: '../glossary.md', id: 'alerts' },
    ]);
  });

  test('leaves out other sites and code', () => {
    expect(headingLinksIn('[a](https://example.com/a.md#b)\n```md\n[c](#d)\n```\n')).toEqual([]);
  });
});

describe('headingIdsOf', () => {
  test('makes ids as GitHub does', () => {
    const text =
      '# E: envelope, errors\n## 4. The `life` of [one](a.md)\n## Start\n```sh\n# no heading\n```\n## Start\n';
    expect([...headingIdsOf(text)]).toEqual(['e-envelope-errors', '4-the-life-of-one', 'start', 'start-1']);
  });
});
