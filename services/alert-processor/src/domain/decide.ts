import type { AlertCommand } from '@tocsin/contracts';
import { maySee, type Alert } from './alert.ts';
import { created, repeated } from './create.ts';
import { DOES_NOT_EXIST, type Circumstances, type Decided } from './decided.ts';
import { lookedUpAgain } from './responders.ts';
import { acknowledged, closed, noted, recipientStatesReset } from './transitions.ts';

/**
 * What one command does to the alert that it names, or to none where there is none.
 *
 * The caller finds the alert: for a create the open one of its alias, for anything else the one of the identifier.
 */
export function decide(alert: Alert | undefined, command: AlertCommand, circumstances: Circumstances): Decided {
  if (command.kind === 'create') {
    if (command.dropped !== undefined) return { kind: 'dropped', status: command.dropped };
    return alert === undefined ? created(command, circumstances) : repeated(alert, command);
  }
  if (alert === undefined) return DOES_NOT_EXIST;
  if (command.kind === 'timer') return lookedUpAgain(alert, command, circumstances);
  return maySee(alert, command.integration.ownerTeamId) ? acted(alert, command) : DOES_NOT_EXIST;
}

function acted(alert: Alert, command: Exclude<AlertCommand, { kind: 'create' | 'timer' }>): Decided {
  switch (command.kind) {
    case 'acknowledge':
      return acknowledged(alert, command);
    case 'close':
      return closed(alert, command);
    case 'add-note':
      return noted(alert, command);
    case 'reset-recipient-states':
      return recipientStatesReset(alert, command);
  }
}
