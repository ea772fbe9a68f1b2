import type { Command } from 'commander';
import { addApplyCommand } from './import-apply.ts';
import { addFetchCommand } from './import-fetch.ts';
import { addFindingsCommand } from './import-findings.ts';
import { addKeysCommand } from './import-keys.ts';
import { addPlanCommand } from './import-plan.ts';
import { addPreflightCommand } from './import-preflight.ts';
import { addVerifyCommand } from './import-verify.ts';
import type { Start } from './start.ts';

/** `tocsin import`: moves an account of Opsgenie to Tocsin, in steps that a user checks. */
export function addImportCommands(program: Command, start: Start): void {
  const moving = program
    .command('import')
    .description('Moves an account of Opsgenie to Tocsin, in steps that you check, and changes nothing in Opsgenie');
  addPreflightCommand(moving, start);
  addFetchCommand(moving, start);
  addFindingsCommand(moving, start);
  addPlanCommand(moving, start);
  addApplyCommand(moving, start);
  addVerifyCommand(moving, start);
  addKeysCommand(moving, start);
}
