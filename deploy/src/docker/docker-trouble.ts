import type { CommandResult } from '../run-command.ts';

/** Runs `docker` with some arguments to its end. */
export type Docker = (...args: readonly string[]) => Promise<CommandResult>;

const OLDEST_COMPOSE = 2;

/** Why Docker cannot be used on this machine; undefined where an engine answers and Compose is there. */
export async function dockerTrouble(docker: Docker): Promise<string | undefined> {
  const [engine, compose] = await Promise.all([
    docker('version', '--format', '{{.Server.Version}}'),
    docker('compose', 'version', '--short'),
  ]);
  if (/\bENOENT\b/.test(engine.output)) return 'docker is not installed.';
  if (!engine.ok) return `no Docker engine answers (docker version): ${lastLine(engine.output)}`;
  const version = /^v?(\d+)\./.exec(compose.output)?.[1];
  if (compose.ok && Number(version) >= OLDEST_COMPOSE) return undefined;
  return `Docker has no Compose ${OLDEST_COMPOSE} (docker compose version). Install the plugin docker-compose-plugin or docker-compose-v2.`;
}

const lastLine = (text: string): string => text.split('\n').at(-1) ?? '';
