import { registerHooks } from 'node:module';

/** Texts of one source file, each with the text that replaces it. */
export interface SourceEdit {
  /** Its path in the repository. */
  readonly file: string;
  /** In this order: a later one sees what an earlier one has written. */
  readonly replace: readonly (readonly [string, string])[];
}

/**
 * Changes source files as this process loads them; the files stay as they are. To be called before they are loaded. A file whose text
 * is no longer as its edit has it cannot be loaded.
 */
export function editSourcesAtLoad(edits: readonly SourceEdit[]): void {
  registerHooks({
    load: (url, context, nextLoad) => {
      const loaded = nextLoad(url, context);
      const own = edits.filter(({ file }) => url.endsWith(`/${file}`));
      if (own.length === 0) return loaded;
      return { ...loaded, source: own.reduce(editedSource, textOf(loaded.source)) };
    },
  });
}

/** The source of the file of `edit` with its replacements. @throws Error where a text to replace is not there exactly once. */
export function editedSource(source: string, { file, replace }: SourceEdit): string {
  return replace.reduce((before, [from, to]) => {
    const found = before.split(from).length - 1;
    if (found !== 1) throw new Error(`${file} has changed: adapt its edit. It has this text ${found} times: ${from}`);
    return before.replace(from, () => to);
  }, source);
}

const textOf = (source: unknown): string =>
  typeof source === 'string' ? source : Buffer.from(source as Uint8Array).toString('utf8');
