/** Fails when a path or heading that the documentation names does not exist, or its index leaves a decision or a page of a subject out. */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { headingIdsOf, headingLinksIn, pathsNamedIn } from './named-paths.ts';
import { terminal } from './terminal.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DOCUMENTS = [
  '{README,SECURITY,CONTRIBUTING}.md',
  'docs/**/*.md',
  '{packages,services,test}/*/README.md',
  '{deploy,charts}/**/README.md',
];

const documents = DOCUMENTS.flatMap((pattern) =>
  fs.globSync(pattern, { cwd: ROOT, exclude: (name) => name === 'node_modules' }),
);
let missing = 0;
for (const document of documents) {
  const markdown = fs.readFileSync(path.join(ROOT, document), 'utf8');
  for (const named of pathsNamedIn(markdown)) {
    // As written from the repository, or from the document's own folder.
    const places = [ROOT, path.join(ROOT, path.dirname(document))].map((base) => path.join(base, named));
    if (places.some((place) => fs.existsSync(place))) continue;
    missing++;
    terminal.complain(`${document} names ${named}, which does not exist`);
  }
  for (const { document: other, id } of headingLinksIn(markdown)) {
    const file = path.join(ROOT, other === '' ? document : path.join(path.dirname(document), other));
    // A file that does not exist is complained of above.
    if (!fs.existsSync(file) || headingIdsOf(fs.readFileSync(file, 'utf8')).has(id)) continue;
    missing++;
    terminal.complain(`${document} names the heading ${other}#${id}, which does not exist`);
  }
}
const index = fs.readFileSync(path.join(ROOT, 'docs/README.md'), 'utf8');
for (const page of fs.globSync('{decisions,subjects}/*.md', { cwd: path.join(ROOT, 'docs') })) {
  if (index.includes(`(${page})`)) continue;
  missing++;
  terminal.complain(`docs/README.md does not name docs/${page}`);
}
terminal.say(`${documents.length} documents read`);
process.exitCode = missing === 0 && documents.length > 0 ? 0 : 1;
