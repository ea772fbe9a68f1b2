import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { downloads, obtainMermaid } from '@tocsin/testkit';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The part of mermaid that this test uses. */
interface Mermaid {
  /** @throws Error for a text that it cannot draw. */
  parse(text: string): Promise<{ readonly diagramType: string }>;
}

const pictures = fs
  .globSync(['*.md', 'docs/**/*.md'], { cwd: ROOT })
  .flatMap((document) =>
    [...fs.readFileSync(path.join(ROOT, document), 'utf8').matchAll(/^```mermaid\n(.*?)^```$/gms)].map(
      ([, text = '']) => ({ document, text }),
    ),
  );

let mermaid: Mermaid;

beforeAll(async () => {
  const folder = await obtainMermaid(downloads(), (line) => process.stderr.write(`${line}\n`));
  const load = async (file: string) =>
    (await import(pathToFileURL(path.join(folder, 'node_modules', file)).href)) as { default: unknown };
  mermaid = (await load('mermaid/dist/mermaid.core.mjs')).default as Mermaid;
  // It makes the text of a label safe for a browser, and needs one for that. The labels are not shown here.
  const purify = (await load('dompurify/dist/purify.es.mjs')).default as object;
  Object.assign(purify, { sanitize: (text: string) => text, addHook: () => undefined });
});

describe('the pictures of the documents', () => {
  it('are in the README and in the architecture', () => {
    expect(pictures.map(({ document }) => document)).toEqual(
      expect.arrayContaining(['README.md', 'docs/architecture.md']),
    );
  });

  it.each(pictures)('can be drawn: $document', async ({ text }) => {
    expect(await mermaid.parse(text)).toMatchObject({ diagramType: 'flowchart-v2' });
  });

  it.each(['flowchart LR\n  a --> [b', 'chart LR\n  a --> b'])('are checked: %j cannot be drawn', async (text) => {
    await expect(mermaid.parse(text)).rejects.toThrow();
  });
});
