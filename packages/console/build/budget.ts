/** A file of the build, as the browser loads it. */
export interface BuiltFile {
  /** Below `dist/`, such as `assets/main-3f2a.js`. */
  readonly path: string;
  readonly brotliBytes: number;
  /** The modules that a script begins with, below the package, such as `src/main.tsx`. */
  readonly module?: string;
  /** The scripts and style sheets that are loaded together with this file. */
  readonly loads: readonly string[];
}

const KIB = 1_024;

/** The most that may be loaded, in bytes after brotli. */
export const BUDGET = { firstRouteScripts: 140 * KIB, firstRouteStyles: 15 * KIB, everything: 350 * KIB };

/** What a browser loads to show the pages of `modules`: their files and all that these load, each once. */
export function filesOf(modules: readonly string[], files: readonly BuiltFile[]): readonly BuiltFile[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const found = new Map<string, BuiltFile>();
  const open = modules.map((module) => {
    const file = files.find((each) => each.module === module);
    if (file === undefined) throw new RangeError(`The build has no script of ${module}.`);
    return file;
  });
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (found.has(file.path)) continue;
    found.set(file.path, file);
    open.push(...file.loads.flatMap((path) => byPath.get(path) ?? []));
  }
  return [...found.values()];
}

/** The size of each part that has a limit. */
export function sizesOf(firstRoute: readonly BuiltFile[], files: readonly BuiltFile[]): typeof BUDGET {
  const sum = (of: readonly BuiltFile[], ...endings: readonly string[]) =>
    of
      .filter(({ path }) => endings.some((ending) => path.endsWith(ending)))
      .reduce((total, { brotliBytes }) => total + brotliBytes, 0);
  return {
    firstRouteScripts: sum(firstRoute, '.js'),
    firstRouteStyles: sum(firstRoute, '.css'),
    everything: sum(files, '.js', '.css'),
  };
}

/** A sentence for each part that is over its limit. */
export function budgetFaults(sizes: typeof BUDGET): readonly string[] {
  const parts = {
    firstRouteScripts: 'The scripts of the first route',
    firstRouteStyles: 'The style sheets of the first route',
    everything: 'All scripts and style sheets',
  };
  return (Object.keys(parts) as (keyof typeof parts)[])
    .filter((part) => sizes[part] > BUDGET[part])
    .map((part) => `${parts[part]} have ${kib(sizes[part])} KiB, and at most ${kib(BUDGET[part])} are allowed.`);
}

/** In KiB, rounded up, so that a size over its limit never reads as the limit. */
export const kib = (bytes: number): number => Math.ceil((bytes * 10) / KIB) / 10;
