import fs from 'node:fs';
import path from 'node:path';
import { runCommand } from './run-command.ts';

/**
 * Builds the console, where its sources have changed since the last build. Never rejects.
 *
 * @param root - the repository
 * @returns what the build said, where it failed
 */
export async function buildConsole(root: string, signal: AbortSignal): Promise<string | undefined> {
  if (!fs.existsSync(path.join(root, 'packages', 'console', 'package.json'))) return 'There is no packages/console.';
  const args = ['run', 'build', '--filter=@tocsin/console', '--output-logs=errors-only', '--no-update-notifier'];
  const { ok, output } = await runCommand(path.join(root, 'node_modules', '.bin', 'turbo'), args, {
    cwd: root,
    output: 'keep',
    signal,
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1', NODE_OPTIONS: undefined },
  });
  return ok ? undefined : output;
}
