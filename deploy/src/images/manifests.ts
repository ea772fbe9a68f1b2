/**
 * Writes the manifests for npm in the build of an image, each with the lock file: `tools` compile, `production` runs, `docs-page` is the one
 * package of which the gateway's image takes a file. Nothing else is downloaded. Runs in the build, before anything is installed:
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

function read(file: string): unknown {
  return JSON.parse(fs.readFileSync(file, 'utf8'));
}

function write(file: string, content: unknown): void {
  const place = path.join(target, file);
  fs.mkdirSync(path.dirname(place), { recursive: true });
  fs.writeFileSync(place, `${JSON.stringify(content, undefined, 2)}\n`);
}
