import fs from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { editedSource } from '@tocsin/testkit/source-edits';
import { editsOf, RELEASE_NAMES } from './releases.ts';

const sourceOf = (file: string): string => fs.readFileSync(new URL(`../../../../${file}`, import.meta.url), 'utf8');

/** The sources that a release changes, by their files. */
function sources(release: string): Readonly<Record<string, string>> {
  const byFile = Map.groupBy(editsOf(release), ({ file }) => file);
  return Object.fromEntries([...byFile].map(([file, edits]) => [file, edits.reduce(editedSource, sourceOf(file))]));
}

describe('the releases of an upgrade', () => {
  it.each(RELEASE_NAMES)('are made of the sources as they are: %s', (release) => {
    for (const [file, source] of Object.entries(sources(release))) expect(source).not.toBe(sourceOf(file));
  });

  it('are the sources of the repository, one that reads the new form, and one that writes it', () => {
    expect(sources('present')).toEqual({});
    const topics = ['alert-commands.ts', 'alert-events.ts', 'pages.ts'].map(
      (file) => `packages/events/src/messages/${file}`,
    );
    const versions = (release: string) =>
      topics.map((file) => sources(release)[file]?.match(/^ {2}(version|reads): \d/gm));
    const [reads, writes] = [['  version: 2', '  reads: 3'], ['  version: 3']];
    expect(versions('next')).toEqual([[...reads, ...reads], reads, reads]);
    expect(versions('after-next')).toEqual([[...writes, ...writes], writes, writes]);
  });

  it('are refused where a name is unknown', () => {
    expect(() => editsOf('last')).toThrow('There is no release last. There are present, next, after-next.');
  });
});
