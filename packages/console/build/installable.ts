import fs from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';

const icon = (name: string, size: number, purpose: 'any' | 'maskable') => ({
  src: `/console/icons/${name}.png`,
  sizes: `${size}x${size}`,
  type: 'image/png',
  purpose,
});

/** By which a browser installs the console as an app. */
const MANIFEST = {
  id: '/console/',
  name: 'Tocsin',
  short_name: 'Tocsin',
  description: 'Alerts, who is on call, and pages on this device',
  start_url: '/console/',
  scope: '/console/',
  display: 'standalone',
  background_color: '#f6f7f9',
  theme_color: '#b3261e',
  icons: [icon('icon-192', 192, 'any'), icon('icon-512', 512, 'any'), icon('maskable-512', 512, 'maskable')],
};

/**
 * Adds the manifest and its icons to the build, under names that stay: browsers look for changes at the same address.
 *
 * @param root - the folder of the package
 */
export function installable(root: string): Plugin {
  const folder = path.join(root, 'icons');
  return {
    name: 'installable',
    apply: 'build',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'manifest.webmanifest', source: JSON.stringify(MANIFEST) });
      for (const name of fs.readdirSync(folder))
        this.emitFile({ type: 'asset', fileName: `icons/${name}`, source: fs.readFileSync(path.join(folder, name)) });
    },
  };
}
