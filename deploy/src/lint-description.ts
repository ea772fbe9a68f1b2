/** Fails when the API description breaks a rule of `redocly.yaml`. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { openApiDocument } from '@tocsin/api/openapi';
import { VERSION } from '@tocsin/service';
import { runCommand } from './run-command.ts';
import { terminal } from './terminal.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Redocly sends no telemetry and does not look for updates. */
const SILENT = {
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  REDOCLY_SUPPRESS_NOTIFICATIONS: 'true',
};

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tocsin-description-'));
try {
  const description = path.join(folder, 'openapi.json');
  fs.writeFileSync(description, JSON.stringify(openApiDocument(VERSION), undefined, 1));
  const redocly = path.join(ROOT, 'node_modules/.bin/redocly');
  const { ok, output } = await runCommand(redocly, ['lint', description, '--config', path.join(ROOT, 'redocly.yaml')], {
    cwd: ROOT,
    env: { ...process.env, ...SILENT },
    output: 'keep',
  });
  terminal.say(output);
  process.exitCode = ok ? 0 : 1;
} finally {
  fs.rmSync(folder, { recursive: true });
}
