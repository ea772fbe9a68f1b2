import fs from 'node:fs';

const manifest = new URL('../../../../package.json', import.meta.url);

/** The version of Tocsin: that of the package.json of the repository, which an image has at the same place. */
export const { version: VERSION } = JSON.parse(fs.readFileSync(manifest, 'utf8')) as { readonly version: string };
