import type { Command } from 'commander';
import { addFetchCommand } from './import-fetch.ts';
import { addFindingsCommand } from './import-findings.ts';
import { addPreflightCommand } from './import-preflight.ts';
import type { Start } from './start.ts';

/** `tocsin import`: moves an account of Opsgenie, in steps that a person checks. */
export function addImportCommands(program: Command, start: Start): void {
  const moving = program
    .command('import')
    .description('Moves an account of Opsgenie to Tocsin: looks, and changes nothing there');
  addPreflightCommand(moving, start);
  addFetchCommand(moving, start);
  addFindingsCommand(moving, start);
}
