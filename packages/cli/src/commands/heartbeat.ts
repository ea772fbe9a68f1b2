import type { Command } from 'commander';
import { plain } from '../output/text.ts';
import { examples, type Start } from './start.ts';

/** `tocsin heartbeat`: reports that a system is alive. */
export function addHeartbeatCommands(program: Command, start: Start): void {
  const heartbeat = program.command('heartbeat').description('Reports that a system is alive');
  const ping = heartbeat
    .command('ping <name>')
    .description('Pings a heartbeat. The API answers a name that it does not know alike')
    .action(async (name: string, _options: object, command: Command) => {
      const invocation = start(command);
      const path = `/v2/heartbeats/${encodeURIComponent(name)}/ping`;
      const { result, requestId } = await invocation.api().send('POST', path);
      invocation.print({ result, requestId }, () => plain(String(result)));
    });
  examples(ping, ['backup.sh && tocsin heartbeat ping nightly-backup', 'only after a backup that went well']);
}
