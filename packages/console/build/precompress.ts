import fs from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';
import { budgetFaults, type BuiltFile, filesOf, kib, sizesOf } from './budget.ts';

/** What compression makes smaller. */
const COMPRESSED = /\.(?:js|css|html|svg|json|webmanifest)$/;

/** One file of `dist/manifest.json`: all files that a server may serve, with their lengths. */
interface ManifestFile {
  readonly path: string;
  readonly bytes: number;
  readonly brotliBytes?: number;
  readonly gzipBytes?: number;
}

/**
 * Writes a `.br` and a `.gz` beside each file, and `manifest.json`, which lists the files. Fails the build where it is over its budget.
 *
 * @param root - the folder of the package
 * @param firstRoute - the modules of the pages that the first visit loads
 */
export function precompress(root: string, firstRoute: readonly string[]): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    enforce: 'post',
    writeBundle({ dir = '' }, bundle) {
      const files = Object.values(bundle).map((output) => ({ output, file: compressed(dir, output.fileName) }));
      const manifest = { files: files.map(({ file }) => file) };
      fs.writeFileSync(path.join(dir, 'manifest.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
      const built = files.map(({ file, output }) => builtFile(root, output, file));
      const sizes = sizesOf(filesOf(firstRoute, built), built);
      this.info(
        `first route ${kib(sizes.firstRouteScripts)} KiB of scripts and ${kib(sizes.firstRouteStyles)} of styles, all ${kib(sizes.everything)} (brotli)`,
      );
      const faults = budgetFaults(sizes);
      if (faults.length > 0) this.error(faults.join(' '));
    },
  };
}

function compressed(dir: string, fileName: string): ManifestFile {
  const file = path.join(dir, fileName);
  const content = fs.readFileSync(file);
  if (!COMPRESSED.test(fileName)) return { path: fileName, bytes: content.length };
  const brotli = brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
  const gzip = gzipSync(content, { level: 9 });
  fs.writeFileSync(`${file}.br`, brotli);
  fs.writeFileSync(`${file}.gz`, gzip);
  return { path: fileName, bytes: content.length, brotliBytes: brotli.length, gzipBytes: gzip.length };
}

function builtFile(
  root: string,
  output: Rolldown.OutputAsset | Rolldown.OutputChunk,
  { brotliBytes, bytes, path: filePath }: ManifestFile,
): BuiltFile {
  const file = { path: filePath, brotliBytes: brotliBytes ?? bytes };
  if (output.type === 'asset') return { ...file, loads: [] };
  // The entry of the page is a script of index.html.
  const module = output.facadeModuleId?.endsWith('index.html') === true ? MAIN : relative(root, output.facadeModuleId);
  return {
    ...file,
    ...(module !== undefined && { module }),
    loads: [...output.imports, ...(output.viteMetadata?.importedCss ?? [])],
  };
}

/** The module that `index.html` begins with. */
export const MAIN = 'src/main.tsx';

function relative(root: string, moduleId: string | null): string | undefined {
  return moduleId === null ? undefined : path.relative(root, moduleId.replace(/\?.*$/, ''));
}
