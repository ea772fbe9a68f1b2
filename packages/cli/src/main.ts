#!/usr/bin/env node
import fs from 'node:fs';
import os from 'node:os';
import v8 from 'node:v8';
import { machineZone } from './output/moments.ts';
import { run } from './program.ts';
import { EXIT } from './cli-error.ts';

/** How long what is said last may take to be written after Ctrl-C. */
const LAST_WORDS_MS = 200;

// Each answer of a large account is needed for a short time. Without this V8 lets them take some 150 MB before it frees them.
v8.setFlagsFromString('--semi-space-growth-factor=1');

const packageFile = new URL('../package.json', import.meta.url);
const { version } = JSON.parse(fs.readFileSync(packageFile, 'utf8')) as { readonly version: string };
const interrupt = new AbortController();

process.once('SIGINT', () => {
  interrupt.abort();
  setTimeout(() => process.exit(EXIT.interrupted), LAST_WORDS_MS).unref();
});
// The reader has closed its end, as `head` does.
for (const output of [process.stdout, process.stderr])
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(process.exitCode);
  });

process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  home: os.homedir(),
  zone: machineZone(),
  version,
  now: () => new Date(),
  interrupted: interrupt.signal,
});
