/**
 * Writes the manifests for npm in the build of an image, each with the lock file: `tools` compile, `production` runs, `console` builds the
 * console, `docs-page` is the one package of which the gateway's image takes a file. Nothing else is downloaded. Runs in the build, before anything is installed:
 * `node manifests.ts <folder to write to>`, in the repository.
 */
import fs from 'node:fs';
import path from 'node:path';

interface Manifest {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

interface LockFile {
  readonly packages: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const TOOLS = ['@types/node', 'turbo', 'typescript'];
const DOCS_PAGE = '@scalar/api-reference';

const target = process.argv[2] ?? '';
if (target === '') throw new Error('Say where to write: manifests.ts <folder>');
const lock = read('package-lock.json') as LockFile;

const { devDependencies: tools = {}, version: release } = read('package.json') as Manifest;
write('tools/package.json', { devDependencies: Object.fromEntries(TOOLS.map((name) => [name, tools[name]])) });
write('tools/package-lock.json', lock);

// Without what develops and tests them: packages of this repository that only tests use are left out by that, too.
for (const file of ['package.json', ...fs.globSync('{packages,services}/*/package.json')]) {
  const manifest = { ...(read(file) as Record<string, unknown>) };
  delete manifest['devDependencies'];
  delete manifest['optionalDependencies'];
  // The list of what is in an image names the packages of this repository, too, and gives each a version.
  manifest['version'] = release;
  write(path.join('production', file), manifest);
}
write('production/package-lock.json', lock);
write('production/turbo.json', read('turbo.json'));

// The package alone, without the hundreds that it names: the file that is taken from it has all of them in it.
const wanted = { dependencies: { [DOCS_PAGE]: (read('deploy/package.json') as Manifest).dependencies?.[DOCS_PAGE] } };
const { version, integrity } = lock.packages[`node_modules/${DOCS_PAGE}`] ?? {};
write('docs-page/package.json', wanted);
write('docs-page/package-lock.json', {
  ...lock,
  packages: { '': wanted, [`node_modules/${DOCS_PAGE}`]: { version, integrity } },
});

// Of the packages of this repository the console uses types, which its build removes.
const { dependencies, devDependencies, ...consoleManifest } = read('packages/console/package.json') as Manifest;
const consoleWants = { dependencies: published(dependencies), devDependencies: published(devDependencies) };
const CONSOLE_OWN = /^packages\/console\/(?=node_modules\/)/;
const places = Object.keys(lock.packages);
const own = places.filter((place) => CONSOLE_OWN.test(place)).map((place) => [place.replace(CONSOLE_OWN, ''), place]);
const lockedNames = new Set(places.map((place) => place.replace(/^.*node_modules\//, '')));
write('console/package.json', { ...consoleManifest, ...consoleWants });
write('console/package-lock.json', {
  ...lock,
  packages: {
    ...Object.fromEntries(places.map((place) => [place, withoutUnlocked(lock.packages[place])])),
    ...Object.fromEntries(own.map(([place = '', from = '']) => [place, withoutUnlocked(lock.packages[from])])),
    '': consoleWants,
  },
});

/** Npm refuses a lock file that lacks an optional package, and a registry may lack one that other systems need. */
function withoutUnlocked(entry: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  const optional = Object.entries(entry['optionalDependencies'] ?? {}).filter(([name]) => lockedNames.has(name));
  return { ...entry, optionalDependencies: Object.fromEntries(optional) };
}

/** Without the packages of this repository. */
function published(wants: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(wants).filter(([name]) => !name.startsWith('@tocsin/')));
}

function read(file: string): unknown {
  return JSON.parse(fs.readFileSync(file, 'utf8'));
}

function write(file: string, content: unknown): void {
  const place = path.join(target, file);
  fs.mkdirSync(path.dirname(place), { recursive: true });
  fs.writeFileSync(place, `${JSON.stringify(content, undefined, 2)}\n`);
}
