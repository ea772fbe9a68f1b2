import type { Command } from 'commander';
import { addFetchCommand } from './import-fetch.ts';
import { addFindingsCommand } from './import-findings.ts';
import { addPreflightCommand } from './import-preflight.ts';
import type { Start } from './start.ts';

/** `tocsin import`: reads an account of Opsgenie before a move, in steps that a user checks. */
export function addImportCommands(program: Command, start: Start): void {
  const moving = program
    .command('import')
    .description('Reads an account of Opsgenie before a move to Tocsin, and changes nothing there');
  addPreflightCommand(moving, start);
  addFetchCommand(moving, start);
  addFindingsCommand(moving, start);
}
