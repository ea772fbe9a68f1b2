import { spawnSync } from 'node:child_process';
import { type NamedSimulation, runCommand } from './command.ts';
import { applyMutation } from './mutations.ts';
import { installVirtualGlobals } from './scheduler/virtual-globals.ts';

/** The production code is loaded after the globals that it uses are replaced. */
async function load(): Promise<readonly NamedSimulation[]> {
  installVirtualGlobals();
  const { simulateOutbox } = await import('./outbox/outbox-simulation.ts');
  const { simulateDueWork } = await import('./due-work/due-work-simulation.ts');
  const { simulatePages } = await import('./pages/pages-simulation.ts');
  return [
    { name: 'outbox', simulate: simulateOutbox },
    { name: 'due-work', simulate: simulateDueWork },
    { name: 'pages', simulate: simulatePages },
  ];
}

process.exitCode = await runCommand(process.argv.slice(2), {
  applyMutation,
  load,
  print: (text) => void process.stdout.write(`${text}\n`),
  printError: (text) => void process.stderr.write(`${text}\n`),
  spawn: (args) =>
    spawnSync(process.execPath, [...process.execArgv, process.argv[1] ?? '', ...args], { encoding: 'utf8' }),
});
