import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { installable } from './installable.ts';
import { MAIN, precompress } from './precompress.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** The pages that the first visit loads. */
const FIRST_ROUTE = [MAIN, 'src/alerts/alerts-page.tsx'];

/** What the gateway sends with the page. In development Vite adds scripts and styles of its own, which carry a nonce. */
function policy(nonce?: string): string {
  const own = nonce === undefined ? "'self'" : `'self' 'nonce-${nonce}'`;
  return [
    "default-src 'none'",
    `script-src ${own}`,
    `style-src ${own}`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Where `npm run dev` finds the gateway. */
const GATEWAY = process.env['CONSOLE_GATEWAY'] ?? 'http://127.0.0.1:8080';

export default defineConfig(({ command }) => {
  const nonce = command === 'serve' ? randomBytes(16).toString('base64') : undefined;
  return {
    root: ROOT,
    base: '/console/',
    plugins: [react(), installable(ROOT), precompress(ROOT, FIRST_ROUTE)],
    ...(nonce !== undefined && { html: { cspNonce: nonce } }),
    build: {
      target: ['chrome123', 'firefox120', 'safari17.5'],
      outDir: 'dist',
      emptyOutDir: true,
      // The policy allows no script or style in the page or in a URL.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rolldownOptions: {
        input: { index: `${ROOT}index.html`, sw: `${ROOT}src/worker/sw.ts` },
        output: {
          // Browsers look for a newer worker at the same address, and it may serve what is below its own.
          entryFileNames: ({ name }) => (name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js'),
        },
      },
    },
    server: {
      strictPort: true,
      headers: { 'Content-Security-Policy': policy(nonce) },
      proxy: { '^/(v1|v2|console/api)/': GATEWAY },
    },
    preview: {
      strictPort: true,
      headers: { 'Content-Security-Policy': policy() },
      proxy: { '^/(v1|v2|console/api)/': GATEWAY },
    },
  };
});
