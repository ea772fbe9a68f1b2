/** Fails when a path that the documentation names does not exist, or its index leaves a decision out. */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { pathsNamedIn } from './named-paths.ts';
import { terminal } from './terminal.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DOCUMENTS = [
  'README.md',
  'SECURITY.md',
  'docs/**/*.md',
  '{packages,services,test}/*/README.md',
  '{deploy,charts}/**/README.md',
];

const documents = DOCUMENTS.flatMap((pattern) =>
  fs.globSync(pattern, { cwd: ROOT, exclude: (name) => name === 'node_modules' }),
);
let missing = 0;
for (const document of documents) {
  for (const named of pathsNamedIn(fs.readFileSync(path.join(ROOT, document), 'utf8'))) {
    // As written from the repository, or from the document's own folder.
    const places = [ROOT, path.join(ROOT, path.dirname(document))].map((base) => path.join(base, named));
    if (places.some((place) => fs.existsSync(place))) continue;
    missing++;
    terminal.complain(`${document} names ${named}, which does not exist`);
  }
}
const index = fs.readFileSync(path.join(ROOT, 'docs/README.md'), 'utf8');
for (const decision of fs.globSync('decisions/*.md', { cwd: path.join(ROOT, 'docs') })) {
  if (index.includes(`(${decision})`)) continue;
  missing++;
  terminal.complain(`docs/README.md does not name docs/${decision}`);
}
terminal.say(`${documents.length} documents read`);
process.exitCode = missing === 0 && documents.length > 0 ? 0 : 1;
